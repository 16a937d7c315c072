package io.holdfast.raft;

/** One step of changing who belongs to the cell; voters change one at a time (thesis §4.1, R8.2). */
public sealed interface MembershipChange {
    ReplicaId replica();

    /** Adds a member that receives the log but does not vote. */
    record AddLearner(ReplicaId replica) implements MembershipChange {}

    /** Makes a learner a voter; refused until it has caught up. */
    record Promote(ReplicaId replica) implements MembershipChange {}

    /** Removes a voter or learner, possibly the present leader. */
    record Remove(ReplicaId replica) implements MembershipChange {}
}
