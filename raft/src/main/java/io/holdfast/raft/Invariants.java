package io.holdfast.raft;

/**
 * Checks that stay on in production.
 *
 * <p><b>Thread:</b> any. <b>Source:</b> style rules, "Errors" 1: our bug stops the replica.
 */
public final class Invariants {
    private Invariants() {}

    /**
     * Does nothing if {@code condition} holds.
     *
     * @throws InvariantViolation if it does not
     */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new InvariantViolation(message);
        }
    }

    /** Like {@link #check(boolean, String)} with two numbers for {@code %d} in {@code format}; allocates only on failure. */
    public static void check(boolean condition, String format, long first, long second) {
        if (!condition) {
            throw new InvariantViolation(String.format(format, first, second));
        }
    }

    /** Like {@link #check(boolean, String)} with arguments for {@link String#format}. */
    public static void check(boolean condition, String format, Object... args) {
        if (!condition) {
            throw new InvariantViolation(String.format(format, args));
        }
    }
}
