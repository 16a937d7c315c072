package io.holdfast.client;

/** The session is over with all that it held. {@link HoldfastClient#newSession} opens another. */
public final class SessionExpiredException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    SessionExpiredException(Outcome outcome, String message) {
        super("SESSION_EXPIRED", outcome, message);
    }
}
