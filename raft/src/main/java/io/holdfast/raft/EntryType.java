package io.holdfast.raft;

/** What an entry of the log holds. The codes are part of the log format and never change. */
public enum EntryType {
    /** Empty; proposed by each new leader so that it can commit the entries before it (thesis §6.4, R2.4). */
    NOOP(0),
    /** Opaque bytes for the state machine. */
    COMMAND(1),
    /** An encoded {@link Membership}; in force from the moment it is in the log (thesis §4.1). */
    MEMBERSHIP(2);

    private final int code;

    EntryType(int code) {
        this.code = code;
    }

    /** The stable number of this type in logs and messages. */
    public int code() {
        return code;
    }

    /**
     * The type with the given stable number.
     *
     * @throws IllegalArgumentException if no type has it
     */
    public static EntryType of(int code) {
        return switch (code) {
            case 0 -> NOOP;
            case 1 -> COMMAND;
            case 2 -> MEMBERSHIP;
            default -> throw new IllegalArgumentException("unknown entry type " + code);
        };
    }
}
