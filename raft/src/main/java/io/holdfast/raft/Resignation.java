package io.holdfast.raft;

/** Why a leader gave up the lead of its term by itself. */
public enum Resignation {
    /** No majority answered for an election timeout (R2.8). */
    NO_CONTACT,
    /** Its disk held up for an election timeout what the majority's had written. */
    SLOW_DISK,
    /** It is not in the newest membership (thesis §4.2.2). */
    REMOVED
}
