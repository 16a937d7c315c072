package io.holdfast.client;

/** The calling thread was interrupted while it waited for an answer; its interrupt flag is set again. */
public final class CallInterruptedException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    CallInterruptedException(Outcome outcome, String message) {
        super("INTERRUPTED", outcome, message);
    }
}
