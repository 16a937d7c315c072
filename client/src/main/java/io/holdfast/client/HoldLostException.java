package io.holdfast.client;

/** A hold, a grant or a place in the queue is gone: stop the protected work. Acquire again if the work is still to be done. */
public final class HoldLostException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    HoldLostException(String message) {
        super("LOST", Outcome.DEFINITE_NOT_DONE, message);
    }
}
