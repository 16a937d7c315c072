package io.holdfast.simulation.process;

import io.holdfast.raft.RaftConfig;
import io.holdfast.replica.SnapshotPolicy;
import io.holdfast.simulation.disk.DiskConfig;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.LogConfig;
import java.util.List;

/** What all replicas of a run have in common. */
public record ReplicaConfig(
        List<String> members, RaftConfig raft, SnapshotPolicy snapshots, LogConfig log, DiskConfig disk, int shards) {
    /** A shard's leader speaks up less often. */
    RaftConfig shardRaft() {
        return new RaftConfig(
                3 * raft.heartbeatNanos(),
                raft.electionMinNanos(),
                raft.electionMaxNanos(),
                raft.disconnectDelayMaxNanos(),
                raft.maxUncommittedBytes(),
                raft.maxAppendBytes(),
                raft.maxInflightAppends(),
                raft.snapshotChunkBytes());
    }

    /** The same with so many shards beside the first cell. */
    public ReplicaConfig withShards(int count) {
        return new ReplicaConfig(members, raft, snapshots, log, disk, count);
    }

    /** Default timeouts, a snapshot now and then, a good disk. */
    public static ReplicaConfig healthy(List<String> members) {
        return new ReplicaConfig(
                members,
                RaftConfig.defaults(),
                new SnapshotPolicy(500, 1L << 20, 50, 2, World.SECOND),
                new LogConfig(64 << 10, 128 << 10, 64 << 20),
                DiskConfig.healthy(),
                0);
    }

    /** Draws one: small segments and frequent snapshots, so that runs of minutes meet them. */
    public static ReplicaConfig draw(Rng rng, List<String> members) {
        RaftConfig raft = RaftConfig.defaults();
        RaftConfig small = new RaftConfig(
                raft.heartbeatNanos(),
                raft.electionMinNanos(),
                raft.electionMaxNanos(),
                raft.disconnectDelayMaxNanos(),
                rng.pick(64 << 10, 1 << 20, 64 << 20),
                rng.pick(2 << 10, 1 << 20),
                rng.pick(2, 64),
                rng.pick(512, 4 << 10, 256 << 10));
        long entries = rng.pick(20, 100, 400, 2_000);
        return new ReplicaConfig(
                members,
                small,
                new SnapshotPolicy(entries, 1L << 20, (int) rng.pick(0, 10, 100), 2, World.SECOND),
                new LogConfig(rng.pick(4 << 10, 64 << 10), 64 << 10, 64 << 20),
                DiskConfig.draw(rng),
                0);
    }
}
