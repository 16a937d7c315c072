package io.holdfast.client.session;

/**
 * Until when a session's client may act on what it holds: its local lease.
 *
 * <p><b>Thread:</b> written by the session machine's thread, read by any.
 *
 * <p><b>Invariants:</b> 1. The local expiry never moves back (R1.3). 2. Once over, never safe again.
 *
 * <p><b>Source:</b> R1.2, R1.3, R3.4.
 */
public final class Trust {
    /** Monotonic nanos; writer: machine. Before the first confirmation nothing is safe. */
    private volatile long localExpiryNanos = Long.MIN_VALUE;
    /** The monotonic clock may have stood still (R1.3). Writer: machine. */
    private volatile boolean suspended;
    /** The session has ended or is being closed. Writers: machine, or whoever gives it up. */
    private volatile boolean over;

    Trust() {}

    /** Whether what the session holds counts as held at this moment of the monotonic clock. */
    public boolean safeAt(long nowNanos) {
        return !over && !suspended && nowNanos < localExpiryNanos; // R3.4, C05
    }

    /** When the local lease ends, on the monotonic clock; {@link Long#MIN_VALUE} before it was ever confirmed. */
    public long localExpiryNanos() {
        return localExpiryNanos;
    }

    /** What is left of the local lease, 0 if it is not to be trusted. */
    public long remainingNanosAt(long nowNanos) {
        return safeAt(nowNanos) ? localExpiryNanos - nowNanos : 0;
    }

    boolean suspended() {
        return suspended;
    }

    boolean isOver() {
        return over;
    }

    void extendTo(long expiryNanos) {
        localExpiryNanos = Math.max(localExpiryNanos, expiryNanos); // R1.3: a deadline never moves back
    }

    void suspend() {
        suspended = true;
    }

    void restore() {
        suspended = false;
    }

    /** Nothing counts as held from now on. Any thread: it cannot be undone. */
    public void end() {
        over = true;
    }
}
