package io.holdfast.cell.leader;

import io.holdfast.model.SessionId;

/** When a session is waited for no more; the soonest first. */
record Wake(long atNanos, SessionId session) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
        long difference = atNanos - other.atNanos; // a monotonic clock's number may wrap
        return difference != 0 ? Long.signum(difference) : session.compareTo(other.session);
    }
}
