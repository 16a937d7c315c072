package io.holdfast.model;

import org.jspecify.annotations.Nullable;

/** Who asks for a leased lock, as it calls itself: 1 to {@link Limits#MAX_NAME_BYTES} bytes of UTF-8 without control characters. */
public record LeaseOwner(String value) {
    /**
     * Checks the owner.
     *
     * @throws IllegalArgumentException with a message that names it and what is wrong with it
     */
    public LeaseOwner {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException("owner " + NameText.shown(value) + " " + problem);
        }
    }

    /** What is wrong with an owner, or null if it is good. */
    public static @Nullable String problemWith(String owner) {
        return NameText.problemWith(owner, Limits.MAX_NAME_BYTES);
    }

    @Override
    public String toString() {
        return value;
    }
}
