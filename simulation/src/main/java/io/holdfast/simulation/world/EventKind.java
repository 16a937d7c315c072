package io.holdfast.simulation.world;

/** What an event of the world is; goes into the trace hash. */
public enum EventKind {
    PEER_FRAME,
    PEER_CLOSED,
    STREAM_FRAME,
    STREAM_END,
    TURN,
    TIMER,
    DISK,
    WORKER,
    START,
    WORKLOAD,
    FAULT,
    SCRIPT,
    /** Not an event in the queue: something the checks saw, mixed into the trace. */
    OBSERVED
}
