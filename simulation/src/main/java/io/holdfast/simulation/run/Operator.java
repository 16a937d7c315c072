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
            repairOne();
            start();
        });
    }

    private @Nullable RaftStatus status() {
        SimReplica leader = cluster.leader();
        ReplicaLoop loop = leader == null ? null : leader.loop();
        RaftCore core = loop == null ? null : loop.core(SimReplica.CELL);
        return core == null ? null : core.status();
    }

    private @Nullable Membership membership() {
        RaftStatus status = status();
        return status == null ? null : status.membership();
    }

    /** Whether every replica lives and is a voter under its present identity, so that one may be lost. */
    public boolean isWhole() {
        Membership members = membership();
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
        RaftStatus status = status();
        boolean settled = status != null && status.commitIndex() == status.lastIndex();
        return victim.isAlive() && settled && isWhole();
    }

    /** The next step towards a whole cell, if one is needed. */
    private void repairOne() {
        Membership members = membership();
        SimReplica leader = cluster.leader();
        if (members == null || leader == null) {
            return;
        }
        for (SimReplica replica : cluster.replicas()) {
            ReplicaId id = replica.id();
            if (id == null || members.isVoter(id)) {
                continue;
            }
            leader.changeMembership(step(members, id));
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
