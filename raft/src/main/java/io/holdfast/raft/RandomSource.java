package io.holdfast.raft;

/** Random numbers, passed in so that a seed replays exactly. */
@FunctionalInterface
public interface RandomSource {
    /** A number in {@code [0, boundExclusive)}; {@code boundExclusive} is positive. */
    long next(long boundExclusive);
}
