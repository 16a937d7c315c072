package io.holdfast.client;

/** Nobody answered in time, and it may have been done: look before repeating it. */
public final class UnknownOutcomeException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    UnknownOutcomeException(String message) {
        super("UNKNOWN_OUTCOME", Outcome.UNKNOWN, message);
    }
}
