package io.holdfast.raft;

import org.jspecify.annotations.Nullable;

/**
 * A replica's view of its cell, for drivers, metrics and operators.
 *
 * @param leader the leader of {@code term} as far as known, or null
 * @param emittedIndex entries up to here have been handed out as committed
 * @param transferring a leadership transfer is running
 */
public record RaftStatus(
        RaftOutput.Role role,
        long term,
        @Nullable ReplicaId leader,
        long lastIndex,
        long commitIndex,
        long emittedIndex,
        long firstIndex,
        long logBytes,
        Membership membership,
        boolean transferring) {
    public boolean isLeader() {
        return role == RaftOutput.Role.LEADER;
    }
}
