package io.holdfast.client;

/**
 * A call did not succeed. Subclasses tell apart what a caller must treat differently; {@link #outcome} says whether it may have
 * been done all the same.
 */
public class HoldfastException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Whether the call had an effect. */
    public enum Outcome {
        /** Certainly not done. */
        DEFINITE_NOT_DONE,
        /** It may or may not have been done: look before repeating it. */
        UNKNOWN
    }

    private final String code;
    private final Outcome outcome;

    protected HoldfastException(String code, Outcome outcome, String message) {
        super(message);
        this.code = code;
        this.outcome = outcome;
    }

    /** A stable name of the reason, for example {@code LOST}, {@code UNREACHABLE} or {@code BAD_VERSION}. */
    public String code() {
        return code;
    }

    public Outcome outcome() {
        return outcome;
    }
}
