package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.TimeoutNow;
import org.jspecify.annotations.Nullable;

/**
 * A leader's attempt to hand its lead to a chosen voter.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) while it runs nothing is proposed; (2) the target is told to stand
 * only when it has the whole log; (3) it is given up after an election timeout, and then proposals go on.
 *
 * <p><b>Source:</b> thesis §3.10.
 */
final class Handover {
    private final ReplicaState state;
    private final Peers peers;
    private @Nullable ReplicaId target;
    private long deadlineNanos = Long.MAX_VALUE;
    private boolean told;

    Handover(ReplicaState state, Peers peers) {
        this.state = state;
        this.peers = peers;
    }

    boolean isRunning() {
        return target != null;
    }

    /** Begins; a target that is this replica, no voter, or already chosen changes nothing. */
    void begin(ReplicaId to) {
        Peer peer = peers.get(to);
        if (peer == null || !peers.isVoter(peer) || to.equals(target)) {
            return;
        }
        target = to;
        told = false;
        deadlineNanos = state.now() + state.config.electionMinNanos();
        advance();
    }

    /** Tells the target to stand as soon as it has everything (thesis §3.10 step 2, 3). */
    void advance() {
        Peer peer = target == null ? null : peers.get(target);
        if (peer != null && !told && peer.match() == state.log.lastIndex()) {
            told = true;
            state.outbox.send(peer.id(), new TimeoutNow(state.term(), 0));
        }
    }

    /** The message may have been lost: says it again. */
    void beat() {
        told = false;
        advance();
    }

    void passTime() {
        if (state.now() >= deadlineNanos) {
            target = null;
            deadlineNanos = Long.MAX_VALUE;
        }
    }

    long deadlineNanos() {
        return deadlineNanos;
    }
}
