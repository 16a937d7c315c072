package io.holdfast.client.session;

/**
 * Random numbers, passed in so that a seed replays exactly. In production it must be unpredictable: session secrets are
 * drawn from it (R3.1).
 */
@FunctionalInterface
public interface RandomSource {
    /** A number in {@code [0, boundExclusive)}; {@code boundExclusive} is positive. */
    long next(long boundExclusive);
}
