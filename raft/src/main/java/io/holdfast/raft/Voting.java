package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Role;

/**
 * How a replica answers others who want to lead.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) one vote per term, durable before it is told; (2) no vote for a log
 * that lacks something this one has; (3) while a leader is heard, nobody is helped to depose it and nobody raises the
 * term; (4) a replica that is no voter here gets a hearing only with a strictly newer log: our membership may be the old
 * one, but a removed or foreign replica cannot disturb.
 *
 * <p><b>Source:</b> thesis §3.4, §3.6.1, §4.1 (candidates outside one's membership), §4.2.3, §9.6.
 */
final class Voting {
    private final ReplicaState state;
    private final Roles roles;

    Voting(ReplicaState state, Roles roles) {
        this.state = state;
        this.roles = roles;
    }

    void onPreVoteRequest(ReplicaId from, PreVoteRequest request) {
        boolean granted = request.term() > state.term()
                && !isLoyal()
                && !hasAFavourite(from)
                && isEligible(from, request.lastLogIndex(), request.lastLogTerm());
        if (granted) {
            roles.timer().letOtherGoFirst();
        }
        state.outbox.send(from, new PreVoteResponse(state.term(), request.term(), granted));
    }

    void onVoteRequest(ReplicaId from, VoteRequest request) {
        boolean heard =
                (request.transfer() || !isLoyal()) && isEligible(from, request.lastLogIndex(), request.lastLogTerm());
        if (request.term() > state.term() && (heard || isHarmlessNews(from, request))) {
            roles.joinTerm(request.term());
        }
        boolean granted = heard && request.term() == state.term() && mayVoteFor(from);
        if (granted) {
            state.voteFor(from);
            roles.supportCandidate();
        }
        if (request.term() <= state.term()) {
            state.outbox.send(from, new VoteResponse(state.term(), granted));
        }
    }

    /**
     * Whether another candidate has this replica's vote and may yet win by it: while the vote is being written, and then for as long
     * as the winner may need to be heard. To help a third one now would depose the winner (ADR 0013). A replica that stood itself
     * waits for its own victory, unless enough voters have refused it.
     */
    private boolean hasAFavourite(ReplicaId asking) {
        if (!state.durability.hardStateIsDurable()) {
            return true;
        }
        ReplicaId voted = state.hardState().votedFor();
        return voted != null
                && !voted.equals(asking)
                && roles.timer().expectsWinner()
                && !(voted.equals(state.self) && roles.campaign().isSplit());
    }

    /** One vote per term (thesis §3.4); a repeated request gets the same answer. */
    private boolean mayVoteFor(ReplicaId candidate) {
        ReplicaId given = state.hardState().votedFor();
        return given == null || given.equals(candidate);
    }

    /** Leads, or has heard a leader within the shortest election timeout (thesis §4.2.3). */
    private boolean isLoyal() {
        return state.role() == Role.LEADER || roles.timer().believesInLeader();
    }

    /** Election restriction: the candidate's log has all that ours has (thesis §3.6.1). */
    private boolean isEligible(ReplicaId candidate, long lastLogIndex, long lastLogTerm) {
        if (!state.membership.current().isVoter(candidate)) {
            // If it is rightly a voter, it has the entry that made it one, which we lack (thesis §4.1).
            return state.log.isNewer(lastLogIndex, lastLogTerm);
        }
        return state.log.isUpToDate(lastLogIndex, lastLogTerm);
    }

    /** A voter's newer term is worth joining even if its log is not worth a vote, unless we are loyal to a leader. */
    private boolean isHarmlessNews(ReplicaId from, VoteRequest request) {
        return state.membership.current().isVoter(from) && (request.transfer() || !isLoyal());
    }
}
