package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.Refused.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Confirms reads by asking a majority, after the read arrived, whether this replica still leads (R2.6).
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) a read is confirmed only by a round that began after it arrived; (2)
 * none before this term's no-op is committed (R2.4, C36); (3) only echoes of this term count; no clock takes part.
 *
 * <p><b>Source:</b> thesis §6.4.
 */
final class ReadRounds {
    /** Rounds on their way at once; further reads wait for the next round. */
    static final int MAX_ROUNDS = 8;
    /** Reads that wait for a round; more are refused as BUSY. */
    static final int MAX_WAITING = 65_536;

    /** One question to the voters. */
    private record Round(long id, long readIndex, List<Long> tags) {}

    private final ReplicaState state;
    private final Peers peers;
    private final long noopIndex;
    private final ArrayDeque<Round> running = new ArrayDeque<>();
    private ArrayList<Long> waiting = new ArrayList<>();
    /** Id of the newest round; 0 before the first of this term. */
    private long newestRound;

    ReadRounds(ReplicaState state, Peers peers, long noopIndex) {
        this.state = state;
        this.peers = peers;
        this.noopIndex = noopIndex;
    }

    void add(long tag) {
        if (waiting.size() >= MAX_WAITING) {
            state.outbox.refuse(tag, Reason.BUSY);
        } else {
            waiting.add(tag); // never joins a running round (R2.6)
        }
    }

    long newestRound() {
        return newestRound;
    }

    boolean canStart() {
        return !waiting.isEmpty() && running.size() < MAX_ROUNDS && isTermEstablished();
    }

    /** Before the no-op of its term is committed a leader does not know what is (thesis §6.4 step 1, R2.4). */
    private boolean isTermEstablished() {
        return state.commitIndex() >= noopIndex;
    }

    /** One new round for all that wait; its number rides on every message from now on. */
    void start() {
        newestRound++;
        running.add(new Round(newestRound, Math.max(state.commitIndex(), noopIndex), waiting));
        waiting = new ArrayList<>();
    }

    /** Confirms the rounds that a majority of the voters has answered. */
    void confirm() {
        if (running.isEmpty()) {
            return;
        }
        long answered = peers.majorityReached(Peer::echoedRound, newestRound);
        for (Round first = running.peekFirst(); first != null && first.id() <= answered; first = running.peekFirst()) {
            for (long tag : first.tags()) {
                state.outbox.confirmRead(tag, first.readIndex());
            }
            running.removeFirst();
        }
    }

    /** This replica leads no more: nothing that still waits will be confirmed. */
    void refuseAll() {
        for (Round round : running) {
            round.tags().forEach(tag -> state.outbox.refuse(tag, Reason.NOT_LEADER));
        }
        waiting.forEach(tag -> state.outbox.refuse(tag, Reason.NOT_LEADER));
        running.clear();
        waiting.clear();
    }
}
