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
 * <p>Votes of the present term count until it is over, also while the next election is already being prepared: a vote that took a
 * disk longer to write than this replica was willing to wait is a vote.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) a term is only raised after a majority said it would vote, or at the
 * leader's wish; (2) only voters of the membership in force count, each once; (3) the own vote counts when it is durable.
 *
 * <p><b>Source:</b> thesis §3.4, §9.6 (pre-vote), §3.10 (leadership transfer); ADR 0013 (split votes, slow disks).
 */
final class Campaign {
    private final ReplicaState state;
    private final Roles roles;
    /** Who would vote for this replica in the next term. */
    private final TreeSet<ReplicaId> welcomes = new TreeSet<>();
    /** Stood in the present term, and nobody was found to lead it. */
    private boolean standing;
    /** Who voted for this replica in the present term. */
    private final TreeSet<ReplicaId> votes = new TreeSet<>();
    /** Who refused to. */
    private final TreeSet<ReplicaId> refusals = new TreeSet<>();

    Campaign(ReplicaState state, Roles roles) {
        this.state = state;
        this.roles = roles;
    }

    void end() {
        standing = false;
        welcomes.clear();
        votes.clear();
        refusals.clear();
    }

    /** No leader was heard for a whole timeout, or an election went nowhere. */
    void timedOut() {
        if (mayStand()) {
            askBeforehand();
        } else if (!waitsForItsOwnVote()) {
            roles.stepDown();
        }
    }

    /** The voters were not even asked yet. */
    private boolean waitsForItsOwnVote() {
        return standing && !state.durability.hardStateIsDurable();
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
        welcomes.clear();
        welcomes.add(state.self);
        long term = state.term() + 1;
        sendToOtherVoters(new PreVoteRequest(term, state.log.lastIndex(), state.log.lastTerm()));
        standIfWelcome();
    }

    void onPreVoteResponse(ReplicaId from, PreVoteResponse response) {
        boolean current = state.role() == Role.PRE_CANDIDATE && response.requestTerm() == state.term() + 1;
        if (current && response.granted() && mayCount(from)) {
            welcomes.add(from);
            standIfWelcome();
        }
    }

    private void standIfWelcome() {
        if (isMajority(welcomes)) {
            stand(false);
        }
    }

    /** The leader wants this replica to lead. */
    void onTimeoutNow(ReplicaId from, TimeoutNow message) {
        boolean fromLeader = message.term() == state.term() && from.equals(state.leader());
        if (fromLeader) {
            roles.diskPatience().ended(message.slowDisks());
        }
        if (fromLeader && state.role() == Role.FOLLOWER && mayStand()) {
            stand(true);
        }
    }

    private void stand(boolean transfer) {
        end();
        standing = true;
        roles.becomeCandidate();
        roles.timer().restart();
        long lastIndex = state.log.lastIndex();
        sendToOtherVoters(new VoteRequest(state.term(), lastIndex, state.log.lastTerm(), transfer));
    }

    /** Something became durable, perhaps the candidate's vote for itself; it counts from now on (figure 3.1). */
    void onPersisted() {
        if (standing && state.durability.hardStateIsDurable() && !votes.contains(state.self)) {
            roles.timer().restart(); // only now the others are asked
            count(state.self);
        }
    }

    void onVoteResponse(ReplicaId from, VoteResponse response) {
        if (!standing || response.term() != state.term() || !mayCount(from)) {
            return;
        }
        if (response.granted()) {
            count(from);
        } else if (refusals.add(from) && refusals.size() == mostRefusals()) {
            roles.timer().voteWasSplit();
        }
    }

    /** Whether an election of the present term is lost, unless somebody who is silent had voted for this replica. */
    boolean isSplit() {
        return standing && refusals.size() >= mostRefusals();
    }

    /** So many may refuse while a majority can still vote for this replica; one is usually away, or there were a leader. */
    private int mostRefusals() {
        Membership membership = state.membership.current();
        return Math.max(1, membership.voters().size() - membership.majority());
    }

    private void count(ReplicaId voter) {
        votes.add(voter);
        if (isMajority(votes)) {
            roles.becomeLeader();
        }
    }

    /** Votes of learners, removed replicas and strangers count for nothing (R8.2, C16, C88). */
    private boolean mayCount(ReplicaId from) {
        return state.membership.current().isVoter(from);
    }

    /** One leader per term needs more than half of the voters (thesis §3.4). */
    private boolean isMajority(TreeSet<ReplicaId> voters) {
        return voters.size() >= state.membership.current().majority();
    }

    private void sendToOtherVoters(RaftMessage message) {
        for (ReplicaId voter : state.membership.current().voters()) {
            if (!voter.equals(state.self)) {
                state.outbox.send(voter, message);
            }
        }
    }
}
