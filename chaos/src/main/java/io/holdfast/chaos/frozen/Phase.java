package io.holdfast.chaos.frozen;

/** How far a round is; a question belongs to the phase in which it was sent. */
enum Phase {
    /** The leader leads. */
    BEFORE,
    /** It is stopped, and others choose a new one. */
    FROZEN,
    /** It was told to go on. */
    AWAKE
}
