package io.holdfast.simulation.run;

/** Kinds of faults that a run may have. */
public enum Fault {
    PARTITION,
    PARTITION_ONE_WAY,
    ISOLATE_LEADER,
    ISOLATE_CLIENT,
    KILL_REPLICA,
    KILL_LEADER,
    KILL_ALL,
    PAUSE_REPLICA,
    PAUSE_LEADER,
    PAUSE_CLIENT,
    SUSPEND_CLIENT,
    KILL_CLIENT,
    WIPE_REPLICA,
    DISK_STALL,
    DISK_FULL,
    SLOW_HOST,
    CUT_STREAM,
    HANG_STREAM,
    WALL_JUMP,
    CLOCK_RATE,
    TRANSFER_LEAD,
    FLAPPING_REPLICA,
    EXPIRY_RACE
}
