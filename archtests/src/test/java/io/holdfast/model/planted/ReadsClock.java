package io.holdfast.model.planted;

/** Breaks the purity rules in one of the pure packages. */
public final class ReadsClock {
    public long now() {
        return System.nanoTime();
    }
}
