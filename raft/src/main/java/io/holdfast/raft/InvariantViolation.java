package io.holdfast.raft;

/**
 * A rule that our own code must keep was broken; the replica stops rather than go on.
 *
 * <p>An {@link Error}, so that a handler for ordinary exceptions cannot swallow it by accident.
 */
public final class InvariantViolation extends Error {
    private static final long serialVersionUID = 1L;

    /** A violation described by {@code message}. */
    public InvariantViolation(String message) {
        super(message);
    }
}
