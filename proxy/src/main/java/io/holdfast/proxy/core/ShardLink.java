package io.holdfast.proxy.core;

/**
 * The one link to a replica that leads shards; all of them share it. Opened when the first call needs it.
 *
 * <p><b>Invariants:</b> (1) at most one connection at a time; (2) a number is never used again.
 */
final class ShardLink {
    private enum State {
        NONE,
        OPENING,
        OPEN
    }

    private final String replica;
    private final FrontEndConfig.Times times;
    private State state = State.NONE;
    private long number;
    /** When a connection that is opening is given up. */
    private long openDeadlineNanos = LeaderLink.NEVER;
    /** Not dialled before. */
    private long mayDialNanos = Long.MIN_VALUE;

    private long delayNanos;

    ShardLink(String replica, FrontEndConfig.Times times) {
        this.replica = replica;
        this.times = times;
        this.delayNanos = times.minReopenNanos();
    }

    String replica() {
        return replica;
    }

    long number() {
        return number;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean exists() {
        return state != State.NONE;
    }

    boolean mayDial(long nowNanos) {
        return state == State.NONE && nowNanos >= mayDialNanos;
    }

    long mayDialNanos() {
        return mayDialNanos;
    }

    void opening(long newNumber, long nowNanos) {
        number = newNumber;
        state = State.OPENING;
        openDeadlineNanos = nowNanos + times.openTimeoutNanos();
    }

    void opened() {
        state = State.OPEN;
        openDeadlineNanos = LeaderLink.NEVER;
    }

    /** The replica answers: the next failure is a new one. */
    void proven() {
        delayNanos = times.minReopenNanos();
    }

    /** It ended or could not be opened; dialled again after a delay that grows. */
    void ended(long nowNanos) {
        state = State.NONE;
        openDeadlineNanos = LeaderLink.NEVER;
        mayDialNanos = nowNanos + delayNanos;
        delayNanos = Math.min(times.maxReopenNanos(), delayNanos * 2);
    }

    boolean openTimedOut(long nowNanos) {
        return nowNanos >= openDeadlineNanos;
    }

    long openDeadlineNanos() {
        return openDeadlineNanos;
    }
}
