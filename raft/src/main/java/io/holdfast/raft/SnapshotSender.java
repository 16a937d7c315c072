package io.holdfast.raft;

import io.holdfast.raft.OutgoingSnapshot.Wait;
import io.holdfast.raft.RaftInput.ChunkRead;
import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftOutput.ReadChunk;
import org.jspecify.annotations.Nullable;

/**
 * How a leader sends its newest snapshot to peers whose next entry is compacted.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) one piece per peer is on its way; (2) a piece is asked for again only
 * after a pause and only while the peer is heard, so a transfer that cannot go on is quiet (C85); (3) the transfer lives
 * in the {@link Peer}: with a removed peer it is gone (C91).
 *
 * <p><b>Source:</b> thesis §5, figure 5.3.
 */
final class SnapshotSender {
    /** A piece without an answer is sent again after this many heartbeats. */
    static final int RESEND_HEARTBEATS = 4;

    private final ReplicaState state;
    private final ReadRounds reads;

    SnapshotSender(ReplicaState state, ReadRounds reads) {
        this.state = state;
        this.reads = reads;
    }

    void begin(Peer peer) {
        SnapshotMeta newest = newest();
        OutgoingSnapshot outgoing = new OutgoingSnapshot(newest, Wait.READ, state.now());
        peer.startSnapshot(outgoing);
        read(peer, outgoing);
    }

    private SnapshotMeta newest() {
        SnapshotMeta newest = state.snapshot();
        if (newest == null || newest.index() < state.log.baseIndex()) {
            throw new InvariantViolation("the log is compacted but no snapshot covers its base");
        }
        return newest;
    }

    private void read(Peer peer, OutgoingSnapshot outgoing) {
        outgoing.now(Wait.READ, state.now());
        state.outbox.readChunk(new ReadChunk(peer.id(), outgoing.meta(), outgoing.offset()));
    }

    void onChunkRead(Peer peer, ChunkRead read) {
        OutgoingSnapshot outgoing = expecting(peer, read.meta());
        if (outgoing == null || outgoing.offset() != read.offset()) {
            return;
        }
        outgoing.sawPiece(read.data().length, read.last());
        outgoing.now(Wait.ANSWER, state.now());
        state.outbox.send(
                peer.id(),
                new SnapshotChunk(
                        state.term(), read.meta(), read.offset(), read.data(), read.last(), reads.newestRound()));
    }

    void onChunkUnavailable(Peer peer, SnapshotMeta meta) {
        OutgoingSnapshot outgoing = expecting(peer, meta);
        if (outgoing == null) {
            return;
        }
        if (newest().index() > meta.index()) {
            begin(peer);
        } else {
            outgoing.now(Wait.PAUSE, state.now());
        }
    }

    private static @Nullable OutgoingSnapshot expecting(Peer peer, SnapshotMeta meta) {
        OutgoingSnapshot outgoing = peer.snapshot();
        boolean expected = outgoing != null
                && outgoing.waitsFor() == Wait.READ
                && outgoing.meta().equals(meta);
        return expected ? outgoing : null;
    }

    void onResponse(Peer peer, SnapshotResponse response) {
        if (response.installed()) {
            installed(peer, response.snapshotIndex());
            return;
        }
        OutgoingSnapshot outgoing = peer.snapshot();
        if (outgoing == null
                || outgoing.waitsFor() != Wait.ANSWER
                || outgoing.meta().index() != response.snapshotIndex()) {
            return;
        }
        if (outgoing.isAllReceived(response.nextOffset())) {
            outgoing.now(Wait.ANSWER, state.now());
        } else if (response.nextOffset() != outgoing.offset()) {
            outgoing.moveTo(response.nextOffset());
            read(peer, outgoing);
        }
        // The same offset again: the peer is not ready for it yet; the next try comes after a pause.
    }

    private void installed(Peer peer, long snapshotIndex) {
        // An earlier leader may have sent it: then it can lie beyond what this one knows to be committed, but never
        // beyond
        // its log, which has all that is committed (thesis §3.6.1).
        Invariants.check(
                snapshotIndex <= state.log.lastIndex(),
                "snapshot at %d, the log ends at %d",
                snapshotIndex,
                state.log.lastIndex());
        peer.acknowledged(snapshotIndex);
        leaveIfCaughtUp(peer);
    }

    /**
     * The peer may have got what it needs, also by another way; then the transfer ends (C85). If the log was compacted further
     * while it got this snapshot, the newest one follows: this one will never do.
     */
    void leaveIfCaughtUp(Peer peer) {
        OutgoingSnapshot outgoing = peer.snapshot();
        if (outgoing == null) {
            return;
        }
        if (peer.match() >= state.log.baseIndex()) {
            peer.pipeline();
        } else if (peer.match() >= outgoing.meta().index()) {
            begin(peer);
        }
    }

    /** Called at each heartbeat: begins again what has had no answer for long. */
    void retry(Peer peer) {
        OutgoingSnapshot outgoing = peer.snapshot();
        if (outgoing == null || outgoing.waitsFor() == Wait.READ) {
            return;
        }
        long patience = RESEND_HEARTBEATS * state.config.heartbeatNanos();
        boolean waitedLong = state.now() - outgoing.sinceNanos() >= patience;
        boolean heardLately = state.now() - peer.contactNanos() < patience;
        if (!waitedLong || !heardLately) {
            return;
        }
        if (outgoing.waitsFor() == Wait.PAUSE) {
            begin(peer);
        } else {
            read(peer, outgoing);
        }
    }
}
