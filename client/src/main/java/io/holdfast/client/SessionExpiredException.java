package io.holdfast.client;

/** The session is over with all that it held. {@link HoldfastClient#newSession} opens another. */
public final class SessionExpiredException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    private final boolean toldByCell;

    SessionExpiredException(Outcome outcome, String message, boolean toldByCell) {
        super("SESSION_EXPIRED", outcome, message);
        this.toldByCell = toldByCell;
    }

    /**
     * True if the cell answered that the session is over: an operator ended it, say, or its lease ran out there. False if this client
     * gave it up by its own clock, as nothing confirmed it for its lease and the grace period (R3.4).
     */
    public boolean isToldByCell() {
        return toldByCell;
    }
}
