package io.holdfast.cell.node;

/** What happened to a node. */
public enum NodeChange {
    /** There was none at its path. */
    CREATED,
    /** A container became a value: another node at the same path, with the same children. */
    TURNED,
    /** It has another value. */
    CHANGED,
    /** A place lost its session and blocks on for its lock-delay (R4.6). */
    DELAYED,
    DELETED
}
