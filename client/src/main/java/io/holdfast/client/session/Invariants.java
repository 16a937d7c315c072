package io.holdfast.client.session;

/** Checks for our own bugs, on in production. */
final class Invariants {
    private Invariants() {}

    /**
     * @throws IllegalStateException if {@code holds} is false
     */
    static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException("broken invariant: " + message);
        }
    }
}
