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
    /** A client comes back just when its lease ends, while disks are slow. */
    EXPIRY_RACE,
    /** A client's confirmations come late, and then none comes any more. */
    LATE_CONFIRMATION,
    /** Two candidates that do not hear each other, and voters that die right after voting. */
    ELECTION_CRASH,
    /** What a leader hears is old; then nobody hears it any more. */
    SLOW_ANSWERS,
    /** A replica lags behind, another one of the majority loses its disk, the leader stops. */
    WIPE_WHILE_ONE_LAGS,
    /** The lead goes to another replica and comes back within a lease. */
    LEAD_THERE_AND_BACK
}
