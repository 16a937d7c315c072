package io.holdfast.model;

/** What a watch is about (R5.1). Numbers are part of the wire format and never change. */
public enum WatchKind {
    /** The persistent value at a path: set, deleted, created. */
    VALUE(0),
    /** The list of a node's children. A place in its lock-delay counts as gone (R4.6). */
    CHILDREN(1),
    /** Whether there is a node at a path, of any kind. */
    EXISTENCE(2);

    private final int code;

    WatchKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @throws IllegalArgumentException if there is none with this number */
    public static WatchKind of(int number) {
        for (WatchKind kind : values()) {
            if (kind.code == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("unknown kind of watch " + number);
    }
}
