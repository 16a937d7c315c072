package io.holdfast.client.session;

/** What a client may believe about its session (R3.4). */
public enum SessionState {
    /** No session yet: not asked for, or not yet opened. */
    CONNECTING,
    /** The local lease runs: what is held is held. */
    SAFE,
    /** The local lease is over or in doubt: nothing counts as held, protected work must stop; the grace period runs. */
    JEOPARDY,
    /** The session is over with all that it held, for ever. */
    EXPIRED,
    /** Closed by the application. */
    CLOSED;

    /** Whether no later state than {@link #CLOSED} can follow. */
    public boolean isOver() {
        return this == EXPIRED || this == CLOSED;
    }
}
