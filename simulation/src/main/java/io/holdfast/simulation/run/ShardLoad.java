package io.holdfast.simulation.run;

import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.workload.ShardAsker;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happens to shards in a run: their logs grow, some fast and some hardly ever, and a client asks for their status. Whoever
 * believes to lead is given a command now and then; nobody waits for what comes of it.
 */
final class ShardLoad {
    private static final int VALUES = 20;

    private final Cluster cluster;
    private final World world;
    private final Rng rng;
    private final List<CellId> shards;
    private final List<ShardAsker> askers = new ArrayList<>();
    private long calls;
    private boolean stopped;

    ShardLoad(Cluster cluster) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.rng = world.rng().split();
        this.shards = List.copyOf(cluster.cellChecks().shards().keySet());
    }

    void start() {
        for (int i = 0; i < shards.size(); i++) {
            // the first one is busy, the last one nearly idle: the log is theirs together
            writeLater(shards.get(i), (100L << (2 * Math.min(i, 4))) * World.MILLI);
        }
        SimClient client = cluster.addClient();
        ShardAsker asker = new ShardAsker(world, client, cluster.cellChecks(), 200 * World.MILLI);
        askers.add(asker);
        client.run(asker);
        client.start();
    }

    private void writeLater(CellId shard, long meanNanos) {
        world.after(rng.exponential(meanNanos), EventKind.WORKLOAD, 0, () -> {
            if (!stopped) {
                write(shard);
                writeLater(shard, meanNanos);
            }
        });
    }

    private void write(CellId shard) {
        for (SimReplica replica : cluster.replicas()) {
            if (replica.isLeader(shard)) {
                NodePath path = new NodePath("/v" + rng.below(VALUES));
                Operation operation = rng.chance(0.2)
                        ? new Operation.Delete(path, Operation.ANY_VERSION)
                        : new Operation.Put(path, new byte[1 + rng.below(200)], Operation.ANY_VERSION);
                calls++;
                replica.command(shard, 1 + calls % 5, new ClientFrame.OneShot(calls, operation));
            }
        }
    }

    void stop() {
        stopped = true;
    }

    void askAllAgain() {
        askers.forEach(ShardAsker::askAllAgain);
    }

    boolean isAnsweredByAll() {
        return askers.stream().allMatch(ShardAsker::isAnsweredByAll);
    }

    /** Nobody leads more than its share and one more. */
    boolean isSpread() {
        Map<SimReplica, Integer> leads = new TreeMap<>((a, b) -> Integer.compare(a.hostId(), b.hostId()));
        for (CellId shard : shards) {
            SimReplica leader = cluster.leader(shard);
            if (leader == null) {
                return false;
            }
            leads.merge(leader, 1, Integer::sum);
        }
        int replicas = cluster.replicas().size();
        int most = (shards.size() + replicas - 1) / replicas + 1;
        boolean spread = leads.values().stream().allMatch(count -> count <= most);
        if (spread) {
            world.coverage().seen(Seen.SHARD_LEADS_SPREAD);
        }
        return spread;
    }

    /** Whether all replicas of all shards have applied what is committed. */
    boolean isAgreed() {
        for (Checks checks : cluster.cellChecks().shards().values()) {
            long index = checks.log().committedIndex();
            for (SimReplica replica : cluster.replicas()) {
                if (checks.applied(replica.hostId()) != index) {
                    return false;
                }
            }
            if (index > shards.size()) {
                world.coverage().seen(Seen.SHARD_WRITTEN);
            }
        }
        return true;
    }
}
