package io.holdfast.raft;

import io.holdfast.raft.MembershipChange.AddLearner;
import io.holdfast.raft.MembershipChange.Promote;
import io.holdfast.raft.MembershipChange.Remove;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which membership changes a leader may make now.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) one change at a time: the previous one and this term's no-op are
 * committed first (R8.2; the flaw in the thesis' first version of §4.1); (2) a learner becomes a voter only when it has
 * all that the log had one heartbeat ago (C88); (3) a cell always keeps a voter.
 *
 * <p><b>Source:</b> thesis §4.1, §4.2.1.
 */
final class MembershipChanges {
    private final ReplicaState state;
    private final Peers peers;
    private final long noopIndex;
    /** The log's end at the last heartbeat but one, and at the last. */
    private long catchUpIndex;

    private long lastIndexAtBeat;

    MembershipChanges(ReplicaState state, Peers peers, long noopIndex) {
        this.state = state;
        this.peers = peers;
        this.noopIndex = noopIndex;
        this.catchUpIndex = noopIndex;
        this.lastIndexAtBeat = noopIndex;
    }

    void beat() {
        catchUpIndex = lastIndexAtBeat;
        lastIndexAtBeat = state.log.lastIndex();
    }

    /** Why the change may not be made now, or null. */
    @Nullable
    Reason objectionTo(MembershipChange change) {
        if (!isSettled()) {
            return Reason.CHANGE_PENDING;
        }
        Membership current = state.membership.current();
        ReplicaId id = change.replica();
        if (change instanceof AddLearner) {
            boolean full = current.voters().size() + current.learners().size() >= Membership.MAX_MEMBERS;
            return current.contains(id) || full ? Reason.INVALID_CHANGE : null;
        }
        if (change instanceof Promote) {
            if (!current.learners().contains(id)) {
                return Reason.INVALID_CHANGE;
            }
            return hasCaughtUp(id) ? null : Reason.NOT_CAUGHT_UP;
        }
        boolean lastVoter = current.isVoter(id) && current.voters().size() == 1;
        return !current.contains(id) || lastVoter ? Reason.INVALID_CHANGE : null;
    }

    /** The previous change and an entry of this term are committed (R8.2). */
    private boolean isSettled() {
        return state.commitIndex() >= noopIndex && state.commitIndex() >= state.membership.currentIndex();
    }

    private boolean hasCaughtUp(ReplicaId learner) {
        Peer peer = peers.get(learner);
        return peer != null
                && peer.mode() == Peer.Mode.PIPELINE
                && peer.match() >= catchUpIndex
                && state.now() - peer.contactNanos() < state.config.electionMinNanos();
    }

    /** The membership after an unobjectionable change. */
    Membership after(MembershipChange change) {
        Membership current = state.membership.current();
        TreeSet<ReplicaId> voters = new TreeSet<>(current.voters());
        TreeSet<ReplicaId> learners = new TreeSet<>(current.learners());
        if (change instanceof AddLearner) {
            learners.add(change.replica());
        } else if (change instanceof Promote) {
            learners.remove(change.replica());
            voters.add(change.replica());
        } else if (change instanceof Remove) {
            learners.remove(change.replica());
            voters.remove(change.replica());
        }
        return new Membership(voters, learners);
    }
}
