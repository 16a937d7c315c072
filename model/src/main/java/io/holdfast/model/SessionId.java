package io.holdfast.model;

/** A session's number: the revision at which it was opened, so never used twice in the life of a deployment. */
public record SessionId(long value) implements Comparable<SessionId> {
    @Override
    public int compareTo(SessionId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
