package io.holdfast.model;

/** The number of a grant: the revision at which its place was created. Only ever rises for one lock (F3, R2.3). */
public record FencingToken(long value) implements Comparable<FencingToken> {
    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
