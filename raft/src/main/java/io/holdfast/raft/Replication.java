package io.holdfast.raft;

import io.holdfast.raft.Peer.Mode;
import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import java.util.List;

/**
 * How a leader brings its log to the peers.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) every append and heartbeat carries the commit index and the newest
 * ReadIndex round; (2) a heartbeat names the entry before the next one to be sent, so a peer that missed something says
 * so and gets it again; (3) at most the configured bytes per message and messages per peer are on their way (R8.4).
 *
 * <p><b>Source:</b> thesis §3.5, §10.2.1.
 */
final class Replication {
    private final ReplicaState state;
    private final Peers peers;
    private final ReadRounds reads;
    private final SnapshotSender snapshots;

    Replication(ReplicaState state, Peers peers, ReadRounds reads, SnapshotSender snapshots) {
        this.state = state;
        this.peers = peers;
        this.reads = reads;
        this.snapshots = snapshots;
    }

    boolean hasWork() {
        for (Peer peer : peers.all()) {
            if (peer.wantsProbe() || needsHeartbeat(peer) || needsSnapshot(peer) || canSendEntries(peer)) {
                return true;
            }
        }
        return false;
    }

    /** Sends whatever can be sent now. */
    void flush() {
        for (Peer peer : peers.all()) {
            if (needsSnapshot(peer)) {
                snapshots.begin(peer);
            }
            if (peer.wantsProbe()) {
                send(peer, peer.probesWithEntries() ? batchFor(peer) : List.of());
            }
            while (canSendEntries(peer)) {
                send(peer, batchFor(peer));
            }
            if (needsHeartbeat(peer)) {
                heartbeat(peer);
            }
        }
    }

    private boolean canSendEntries(Peer peer) {
        return peer.next() <= state.log.lastIndex() && peer.hasRoomFor(state.config.maxInflightAppends());
    }

    private boolean needsSnapshot(Peer peer) {
        return peer.mode() != Mode.SNAPSHOT && peer.next() <= state.log.baseIndex();
    }

    private boolean needsHeartbeat(Peer peer) {
        boolean roundUntold = peers.isVoter(peer) && peer.sentRound() < reads.newestRound();
        return peer.isBeatDue() || roundUntold;
    }

    private List<LogEntry> batchFor(Peer peer) {
        return state.log.batch(peer.next(), state.config.maxAppendBytes());
    }

    private void send(Peer peer, List<LogEntry> entries) {
        long prevIndex = peer.next() - 1;
        send(peer, prevIndex, state.log.termAt(prevIndex), entries);
    }

    private void heartbeat(Peer peer) {
        if (peer.mode() == Mode.SNAPSHOT) {
            send(peer, 0, 0, List.of()); // the start of the log fits everywhere
        } else {
            send(peer, List.of());
        }
    }

    private void send(Peer peer, long prevIndex, long prevTerm, List<LogEntry> entries) {
        long round = reads.newestRound();
        state.outbox.send(
                peer.id(), new AppendRequest(state.term(), prevIndex, prevTerm, entries, state.commitIndex(), round));
        peer.sent(entries.size(), round);
    }

    void onResponse(Peer peer, AppendResponse response) {
        if (response.success()) {
            long match = response.matchIndex();
            long last = state.log.lastIndex();
            Invariants.check(match <= last, "acknowledged %d of a log up to %d", match, last);
            peer.acknowledged(match);
            snapshots.leaveIfCaughtUp(peer);
        } else {
            rejected(peer, response);
        }
    }

    private void rejected(Peer peer, AppendResponse response) {
        switch (peer.mode()) {
            case SNAPSHOT -> {} // it is behind; that is why it gets a snapshot
            case PIPELINE -> peer.probeAfterLoss();
            case PROBE ->
                peer.probeLower(state.log.highestIndexOfTermAtMost(response.hintIndex(), response.hintTerm()) + 1);
        }
    }

    /** The peer's connection closed: what was on its way is lost. */
    void onDisconnected(Peer peer) {
        if (peer.mode() == Mode.PIPELINE) {
            peer.probeAfterLoss();
        }
    }

    /** Speaks to every peer at the next flush, and tries again what seems lost. */
    void beat() {
        for (Peer peer : peers.all()) {
            peer.beat();
            snapshots.retry(peer);
        }
    }
}
