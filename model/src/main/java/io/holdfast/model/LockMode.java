package io.holdfast.model;

/** How a lock is held. The prefix starts the name of a place; prefix and code are part of the format and never change. */
public enum LockMode {
    EXCLUSIVE(0, "x-"),
    SHARED(1, "s-"),
    /** One of the permits of a semaphore, which is a queue of such places alone. */
    PERMIT(2, "p-");

    private final int code;
    private final String prefix;

    LockMode(int code, String prefix) {
        this.code = code;
        this.prefix = prefix;
    }

    public int code() {
        return code;
    }

    public String prefix() {
        return prefix;
    }

    /**
     * The mode with the given code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static LockMode of(int code) {
        return switch (code) {
            case 0 -> EXCLUSIVE;
            case 1 -> SHARED;
            case 2 -> PERMIT;
            default -> throw new IllegalArgumentException("unknown lock mode " + code);
        };
    }
}
