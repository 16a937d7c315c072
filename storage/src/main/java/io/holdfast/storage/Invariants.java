package io.holdfast.storage;

/** Checks for our own bugs, on in production: the process stops rather than write a log it could not read back. */
final class Invariants {
    private Invariants() {}

    /**
     * @throws IllegalStateException if {@code holds} is false
     */
    static void check(boolean holds, String message, Object... arguments) {
        if (!holds) {
            throw new IllegalStateException("broken invariant: " + String.format(message, arguments));
        }
    }
}
