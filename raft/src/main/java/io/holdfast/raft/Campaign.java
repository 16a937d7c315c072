package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Role;
import java.util.TreeSet;

/**
 * A replica's own attempts to lead: first a pre-vote, which changes nothing anywhere, then the election.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) a term is only raised after a majority said it would vote, or at the
 * leader's wish; (2) only voters of the membership in force count, each once; (3) the own vote counts when it is durable.
 *
 * <p><b>Source:</b> thesis §3.4, §9.6 (pre-vote), §3.10 (leadership transfer).
 */
final class Campaign {
    private final ReplicaState state;
    private final Roles roles;
    private final TreeSet<ReplicaId> granted = new TreeSet<>();
    /** Whether a voter refused this election. */
    private boolean refused;

    Campaign(ReplicaState state, Roles roles) {
        this.state = state;
        this.roles = roles;
    }

    void end() {
        granted.clear();
    }

    /** No leader was heard for a whole timeout, or an election went nowhere. */
    void timedOut() {
        if (mayStand()) {
            askBeforehand();
        } else {
            roles.stepDown();
        }
    }

    /**
     * Non-voters never stand; nor does a replica whose disk cannot keep up with its own vote, or whose state machine is just
     * being replaced: it could not serve, and the snapshot would arrive at a leader.
     */
    private boolean mayStand() {
        long stalledFrom = state.durability.stalledFromNanos(state.config.electionMaxNanos());
        return state.isVoter()
                && !state.isInstalling()
                && state.durability.hardStateIsDurable()
                && state.now() < stalledFrom;
    }

    private void askBeforehand() {
        roles.becomePreCandidate();
        granted.clear();
        granted.add(state.self);
        long term = state.term() + 1;
        sendToOtherVoters(new PreVoteRequest(term, state.log.lastIndex(), state.log.lastTerm()));
        standIfWelcome();
    }

    void onPreVoteResponse(ReplicaId from, PreVoteResponse response) {
        boolean current = state.role() == Role.PRE_CANDIDATE && response.requestTerm() == state.term() + 1;
        if (current && response.granted() && mayCount(from)) {
            granted.add(from);
            standIfWelcome();
        }
    }

    private void standIfWelcome() {
        if (isMajority()) {
            stand(false);
        }
    }

    /** The leader wants this replica to lead. */
    void onTimeoutNow(ReplicaId from, TimeoutNow message) {
        boolean fromLeader = message.term() == state.term() && from.equals(state.leader());
        if (fromLeader && state.role() == Role.FOLLOWER && mayStand()) {
            stand(true);
        }
    }

    private void stand(boolean transfer) {
        granted.clear();
        refused = false;
        roles.becomeCandidate();
        roles.timer().restart();
        long lastIndex = state.log.lastIndex();
        sendToOtherVoters(new VoteRequest(state.term(), lastIndex, state.log.lastTerm(), transfer));
    }

    /** Something became durable, perhaps the candidate's vote for itself; it counts from now on (figure 3.1). */
    void onPersisted() {
        if (state.role() == Role.CANDIDATE && state.durability.hardStateIsDurable()) {
            count(state.self);
        }
    }

    void onVoteResponse(ReplicaId from, VoteResponse response) {
        boolean current = state.role() == Role.CANDIDATE && response.term() == state.term();
        if (!current || !mayCount(from)) {
            return;
        }
        if (response.granted()) {
            count(from);
        } else if (!refused) {
            refused = true;
            roles.timer().voteWasSplit();
        }
    }

    private void count(ReplicaId voter) {
        granted.add(voter);
        if (isMajority()) {
            roles.becomeLeader();
        }
    }

    /** Votes of learners, removed replicas and strangers count for nothing (R8.2, C16, C88). */
    private boolean mayCount(ReplicaId from) {
        return state.membership.current().isVoter(from);
    }

    /** One leader per term needs more than half of the voters (thesis §3.4). */
    private boolean isMajority() {
        return granted.size() >= state.membership.current().majority();
    }

    private void sendToOtherVoters(RaftMessage message) {
        for (ReplicaId voter : state.membership.current().voters()) {
            if (!voter.equals(state.self)) {
                state.outbox.send(voter, message);
            }
        }
    }
}
