package io.holdfast.simulation.world;

/** The service broke a promise; the message says which, where and when. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String invariant;

    /**
     * @param invariant short name, the same for every way of breaking it
     * @param detail what exactly happened
     */
    public Violation(String invariant, String detail) {
        super(invariant + ": " + detail);
        this.invariant = invariant;
    }

    public String invariant() {
        return invariant;
    }
}
