package io.holdfast.client;

/** Nobody answered in time, and nothing was done: it may be repeated. */
public final class UnreachableException extends HoldfastException {
    private static final long serialVersionUID = 1L;

    UnreachableException(String message) {
        super("UNREACHABLE", Outcome.DEFINITE_NOT_DONE, message);
    }
}
