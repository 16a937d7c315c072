package io.holdfast.client;

/** The lock is another's, and the caller did not want to wait (longer). Nothing is left in the queue. */
public final class NotAcquiredException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    NotAcquiredException(String message) {
        super("HELD", Outcome.DEFINITE_NOT_DONE, message);
    }
}
