package io.holdfast.model;

/** Kinds of nodes; the codes are part of the formats. */
public enum NodeKind {
    /** Has a value, stays until deleted. */
    PERSISTENT(0),
    /** Belongs to a session and goes with it; has no children. */
    EPHEMERAL(1),
    /** A place in a lock's queue: ephemeral and sequential. */
    PLACE(2),
    /** Made for its children and removed with the last of them; has no value. */
    CONTAINER(3);

    private final int code;

    NodeKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * The kind with the given code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static NodeKind of(int code) {
        for (NodeKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("unknown node kind " + code);
    }
}
