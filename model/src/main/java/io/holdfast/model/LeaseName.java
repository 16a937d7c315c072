package io.holdfast.model;

import org.jspecify.annotations.Nullable;

/**
 * The name of a leased lock: 1 to {@link Limits#MAX_NAME_BYTES} bytes of UTF-8 without control characters. It does not start
 * with {@code /}: those are lock paths.
 */
public record LeaseName(String value) implements Comparable<LeaseName> {
    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException with a message that names it and what is wrong with it
     */
    public LeaseName {
        String problem = problemWith(value);
        if (problem != null) {
            throw new IllegalArgumentException("name " + NameText.shown(value) + " " + problem);
        }
    }

    /** What is wrong with a name, or null if it is good. */
    public static @Nullable String problemWith(String name) {
        return name.startsWith("/")
                ? "starts with '/': that is a lock path, not the name of a leased lock"
                : NameText.problemWith(name, Limits.MAX_NAME_BYTES);
    }

    @Override
    public int compareTo(LeaseName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
