package io.holdfast.cell.base;

import org.jspecify.annotations.Nullable;

/** Checks for our own bugs, on in production: the replica stops rather than go on with a state it cannot trust. */
public final class Invariants {
    private Invariants() {}

    /**
     * @param message says what was expected; must be cheap to make, so it has no arguments
     * @throws IllegalStateException if {@code holds} is false
     */
    public static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException("broken invariant: " + message);
        }
    }

    /**
     * The value, which must be there.
     *
     * @throws IllegalStateException if it is null
     */
    public static <T> T present(@Nullable T value, String message) {
        if (value == null) {
            throw new IllegalStateException("broken invariant: " + message);
        }
        return value;
    }
}
