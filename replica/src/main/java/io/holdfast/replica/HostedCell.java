package io.holdfast.replica;

import io.holdfast.cell.CellLimits;
import io.holdfast.raft.RaftConfig;
import io.holdfast.storage.CellId;
import io.holdfast.storage.SnapshotStore;
import org.jspecify.annotations.Nullable;

/**
 * One cell that a process has a replica of.
 *
 * @param raft its times and limits; null for those of the process
 */
public record HostedCell(
        CellId id,
        SnapshotStore snapshots,
        CellLimits limits,
        @Nullable RaftConfig raft) {
    /** With the times and limits of the process. */
    public HostedCell(CellId id, SnapshotStore snapshots, CellLimits limits) {
        this(id, snapshots, limits, null);
    }
}
