package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftOutput.Role;
import java.util.List;

/**
 * How a follower takes entries from the leader.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) an acknowledged index is verified against this term's leader and
 * durable (C08); (2) a committed entry is never overwritten; (3) the commit index never exceeds what is verified; (4) the
 * leader need not be in the membership known here: ours may be the old one (thesis §4.1).
 *
 * <p><b>Source:</b> thesis §3.5, figure 3.1 "AppendEntries RPC".
 */
final class AppendReceiver {
    private final ReplicaState state;
    private final Roles roles;

    /** The term that the fields below belong to. */
    private long term;
    /** The log equals this term's leader's up to here. */
    private long verifiedIndex;
    /** Newest ReadIndex round seen in this term. */
    private long newestRound;
    /** Entries were taken that could not be acknowledged yet. */
    private boolean owesAnswer;

    AppendReceiver(ReplicaState state, Roles roles) {
        this.state = state;
        this.roles = roles;
    }

    void onAppendRequest(ReplicaId from, AppendRequest request) {
        if (request.term() < state.term()) {
            state.outbox.send(from, new AppendResponse(state.term(), false, 0, 0, 0, 0));
            return;
        }
        roles.follow(from, request.term());
        enterTerm();
        boolean newRound = request.round() > newestRound;
        newestRound = Math.max(newestRound, request.round());
        if (!fits(request.prevIndex(), request.prevTerm())) {
            reject(from, request);
            return;
        }
        take(request);
        verified(request.prevIndex() + request.entries().size());
        commit(request.commitIndex());
        if (request.entries().isEmpty() || newRound || isAllDurable()) {
            acknowledge(from, request.round());
        } else {
            owesAnswer = true;
        }
    }

    /** Something became durable: tells the leader how far its entries are now. */
    void onPersisted() {
        ReplicaId leader = state.leader();
        if (owesAnswer && state.role() == Role.FOLLOWER && leader != null && term == state.term()) {
            acknowledge(leader, newestRound);
        }
    }

    /** The leader's snapshot or the log up to {@code index} is known to be in this term's leader's log. */
    void verified(long index) {
        enterTerm();
        verifiedIndex = Math.max(verifiedIndex, index);
    }

    /** The round that an answer to the present leader should carry. */
    long newestRound() {
        return term == state.term() ? newestRound : 0;
    }

    /** A round came with a snapshot chunk. */
    void sawRound(long round) {
        enterTerm();
        newestRound = Math.max(newestRound, round);
    }

    private void enterTerm() {
        if (term != state.term()) {
            term = state.term();
            verifiedIndex = 0;
            newestRound = 0;
            owesAnswer = false;
        }
    }

    /** Consistency check: the entry before the new ones is the leader's (thesis §3.5). */
    private boolean fits(long prevIndex, long prevTerm) {
        if (prevIndex < state.log.baseIndex()) {
            return true; // everything up to the base is committed, so every leader has it
        }
        boolean matches = state.log.matches(prevIndex, prevTerm);
        Invariants.check(
                matches || prevIndex > state.commitIndex(),
                "leader contradicts the committed entry %d of term %d",
                prevIndex,
                prevTerm);
        return matches;
    }

    private void take(AppendRequest request) {
        List<LogEntry> entries = request.entries();
        for (int i = 0; i < entries.size(); i++) {
            LogEntry entry = entries.get(i);
            long index = request.prevIndex() + 1 + i;
            Invariants.check(entry.index() == index, "entry %d where %d belongs", entry.index(), index);
            Invariants.check(entry.term() <= request.term(), "entry of a later term at %d", index, 0);
            if (index > state.log.baseIndex() && !state.log.matches(index, entry.term())) {
                replaceWith(entry);
            }
        }
    }

    /** Conflicting entries and all that follow them go; matching ones stay, for messages may be old (thesis §3.5). */
    private void replaceWith(LogEntry entry) {
        if (entry.index() <= state.log.lastIndex()) {
            state.truncateFrom(entry.index());
        }
        state.append(entry);
    }

    /** No further than verified: entries beyond may be another leader's (thesis figure 3.1). */
    private void commit(long leaderCommit) {
        state.commitTo(Math.min(leaderCommit, verifiedIndex));
    }

    private boolean isAllDurable() {
        return state.durability.durableIndex() >= verifiedIndex;
    }

    private void acknowledge(ReplicaId leader, long round) {
        long match = Math.min(verifiedIndex, state.durability.durableIndex()); // never more than is on disk (C08)
        owesAnswer = !isAllDurable();
        state.outbox.send(leader, new AppendResponse(term, true, match, 0, 0, round));
    }

    private void reject(ReplicaId leader, AppendRequest request) {
        long last = Math.min(request.prevIndex(), state.log.lastIndex());
        long hint = Math.max(state.commitIndex(), state.log.highestIndexOfTermAtMost(last, request.prevTerm()));
        state.outbox.send(leader, new AppendResponse(term, false, 0, hint, state.log.termAt(hint), request.round()));
    }
}
