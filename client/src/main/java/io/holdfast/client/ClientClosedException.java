package io.holdfast.client;

/** The client was closed. */
public final class ClientClosedException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    ClientClosedException(Outcome outcome, String message) {
        super("CLOSED", outcome, message);
    }
}
