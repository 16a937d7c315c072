package io.holdfast.server.parts;

import io.holdfast.cell.CellLimits;
import io.holdfast.model.Limits;
import io.holdfast.model.Shards;
import io.holdfast.raft.RaftConfig;
import io.holdfast.replica.HostedCell;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.config.ReplicaConfig.RaftTimes;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The cells of a replica process: the first one, and the shards beside it.
 *
 * <p>A shard's state is bounded so that all of them together hold no more than the first cell may. Its leader speaks up less
 * often than that of the first cell, since there are many and they mostly rest; how soon a lost leader is missed is the same.
 *
 * <p><b>Source:</b> ADR 0015.
 */
final class HostedCells {
    private static final long MILLI = 1_000_000L;
    private static final long MIN_STATE_BYTES = 16L << 20;
    /** So many heartbeats of the first cell pass between two of a shard. */
    private static final long BEATS = 3;
    /** So many heartbeats of a shard must be missed at least before its leader is. */
    private static final long BEATS_IN_TIMEOUT = 3;

    private final CellId first;
    private final Shards shards;
    private final RaftTimes times;

    HostedCells(ReplicaConfig config) {
        this.first = new CellId(config.naming().cell());
        this.shards = new Shards(config.shards());
        this.times = config.raft();
    }

    SortedSet<CellId> ids() {
        SortedSet<CellId> ids = new TreeSet<>(List.of(first));
        shards.cellNames().forEach(name -> ids.add(new CellId(name)));
        return ids;
    }

    /** The first cell first. */
    List<HostedCell> hosted(ReplicaDisk disk) {
        List<HostedCell> cells = new ArrayList<>();
        cells.add(new HostedCell(first, disk.snapshots(first), CellLimits.defaults()));
        CellLimits limits =
                new CellLimits(Math.max(MIN_STATE_BYTES, Limits.DEFAULT_STATE_BYTES / Math.max(1, shards.count())));
        RaftConfig raft = raft(shardHeartbeatMillis(times));
        for (String name : shards.cellNames()) {
            CellId id = new CellId(name);
            cells.add(new HostedCell(id, disk.snapshots(id), limits, raft));
        }
        return cells;
    }

    /** Of the first cell. */
    RaftConfig raft() {
        return raft(times.heartbeatMillis());
    }

    private RaftConfig raft(long heartbeatMillis) {
        return RaftConfig.of(
                heartbeatMillis * MILLI, times.electionFromMillis() * MILLI, times.electionToMillis() * MILLI);
    }

    /** A multiple of the first cell's, so that it falls into the same turns. */
    static long shardHeartbeatMillis(RaftTimes times) {
        long affordable = times.electionFromMillis() / BEATS_IN_TIMEOUT / times.heartbeatMillis();
        return times.heartbeatMillis() * Math.max(1, Math.min(BEATS, affordable));
    }
}
