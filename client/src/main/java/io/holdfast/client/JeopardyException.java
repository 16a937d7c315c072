package io.holdfast.client;

/** The local lease is over or in doubt: stop the protected work. The hold may come back with the same token. */
public final class JeopardyException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    JeopardyException(String message) {
        super("JEOPARDY", Outcome.DEFINITE_NOT_DONE, message);
    }
}
