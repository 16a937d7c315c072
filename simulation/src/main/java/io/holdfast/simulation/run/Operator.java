package io.holdfast.simulation.run;

import io.holdfast.raft.Membership;
import io.holdfast.raft.MembershipChange;
import io.holdfast.raft.RaftCore;
import io.holdfast.raft.RaftStatus;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.ReplicaLoop;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces replicas that lost their disk, as an operator would: remove the old, add the new as learner, promote it. */
public final class Operator {
    private static final long LOOK_EVERY_NANOS = World.SECOND;

    private final Cluster cluster;

    Operator(Cluster cluster) {
        this.cluster = cluster;
    }

    public void start() {
        cluster.world().after(LOOK_EVERY_NANOS, EventKind.SCRIPT, 0, () -> {
            cells().forEach(this::repairOne);
            start();
        });
    }

    private @Nullable RaftStatus status(CellId cell) {
        SimReplica leader = cluster.leader(cell);
        ReplicaLoop loop = leader == null ? null : leader.loop();
        RaftCore core = loop == null ? null : loop.core(cell);
        return core == null ? null : core.status();
    }

    private @Nullable Membership membership(CellId cell) {
        RaftStatus status = status(cell);
        return status == null ? null : status.membership();
    }

    private List<CellId> cells() {
        return cluster.replicas().get(0).cells();
    }

    /** Whether every replica lives and is a voter of each cell under its present identity, so that one may be lost. */
    public boolean isWhole() {
        return cells().stream().allMatch(this::isWhole);
    }

    private boolean isWhole(CellId cell) {
        Membership members = membership(cell);
        if (members == null || members.voters().size() != cluster.replicas().size()) {
            return false;
        }
        for (SimReplica replica : cluster.replicas()) {
            ReplicaId id = replica.id();
            if (id == null || !members.isVoter(id)) {
                return false;
            }
        }
        return true;
    }

    /** A membership that the leader does not know to be committed may come to nothing: then a majority would be lost. */
    boolean mayWipe(SimReplica victim) {
        return victim.isAlive() && cells().stream().allMatch(this::isSettled) && isWhole();
    }

    private boolean isSettled(CellId cell) {
        RaftStatus status = status(cell);
        return status != null && status.commitIndex() == status.lastIndex();
    }

    /** The next step towards a whole cell, if one is needed. */
    private void repairOne(CellId cell) {
        Membership members = membership(cell);
        SimReplica leader = cluster.leader(cell);
        if (members == null || leader == null) {
            return;
        }
        for (SimReplica replica : cluster.replicas()) {
            ReplicaId id = replica.id();
            if (id == null || members.isVoter(id)) {
                continue;
            }
            leader.changeMembership(cell, step(members, id));
            return;
        }
    }

    private static MembershipChange step(Membership members, ReplicaId id) {
        for (ReplicaId voter : members.voters()) {
            if (voter.name().equals(id.name())) {
                return new MembershipChange.Remove(voter);
            }
        }
        return members.contains(id) ? new MembershipChange.Promote(id) : new MembershipChange.AddLearner(id);
    }
}
