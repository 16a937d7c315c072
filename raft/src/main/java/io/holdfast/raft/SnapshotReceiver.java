package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.raft.RaftOutput.WriteChunk;
import org.jspecify.annotations.Nullable;

/**
 * How a follower takes a snapshot from the leader, piece by piece.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) {@code installed} is answered only when the snapshot is durable and
 * restored (C12); (2) pieces of one transfer come from one leader of one term, in order, one at a time; (3) from the last
 * piece until the answer nothing is emitted for applying, since the state machine is being replaced; (4) a snapshot that
 * brings nothing new is answered at once and never stored (C85).
 *
 * <p><b>Source:</b> thesis §5, figure 5.3.
 */
final class SnapshotReceiver {
    /** One snapshot on its way in. */
    private static final class Transfer {
        final SnapshotMeta meta;
        final long term;
        long nextOffset;
        /** A piece is with the driver; if it is the last, the state says that a snapshot is being installed. */
        boolean writing;

        Transfer(SnapshotMeta meta, long term) {
            this.meta = meta;
            this.term = term;
        }
    }

    private final ReplicaState state;
    private final Roles roles;
    private final AppendReceiver appends;
    private @Nullable Transfer transfer;

    SnapshotReceiver(ReplicaState state, Roles roles, AppendReceiver appends) {
        this.state = state;
        this.roles = roles;
        this.appends = appends;
    }

    /** Whether the state machine is being replaced; nothing may be applied meanwhile. */
    boolean isInstalling() {
        return state.isInstalling();
    }

    void onChunk(ReplicaId from, SnapshotChunk chunk) {
        if (chunk.term() < state.term()) {
            state.outbox.send(
                    from, new SnapshotResponse(state.term(), chunk.meta().index(), 0, false, 0));
            return;
        }
        roles.follow(from, chunk.term());
        appends.sawRound(chunk.round());
        if (bringsNothingNew(chunk.meta())) {
            appends.verified(chunk.meta().index());
            answer(from, chunk.meta(), 0, true);
        } else {
            receive(from, chunk);
        }
    }

    /** All of the snapshot is here already, and durable; that it is a snapshot proves that it is committed. */
    private boolean bringsNothingNew(SnapshotMeta meta) {
        if (isInstalling() || state.durability.durableIndex() < meta.index()) {
            return false;
        }
        if (state.log.matches(meta.index(), meta.term())) {
            state.commitTo(meta.index());
        }
        return meta.index() <= state.commitIndex();
    }

    private void receive(ReplicaId from, SnapshotChunk chunk) {
        Transfer current = transfer;
        boolean same = current != null && current.term == state.term() && current.meta.equals(chunk.meta());
        if (current != null && (isInstalling() || (current.writing && !same))) {
            answer(from, chunk.meta(), same ? current.nextOffset : 0, false);
        } else if (current != null && same) {
            continueWith(from, current, chunk);
        } else if (chunk.offset() == 0 && chunk.meta().index() > state.commitIndex()) {
            Transfer started = new Transfer(chunk.meta(), state.term());
            transfer = started;
            write(started, chunk);
        } else {
            answer(from, chunk.meta(), 0, false);
        }
    }

    private void continueWith(ReplicaId from, Transfer current, SnapshotChunk chunk) {
        if (current.writing) {
            return; // the answer to the piece in hand says it all
        }
        if (chunk.offset() == current.nextOffset && chunk.meta().index() > state.commitIndex()) {
            write(current, chunk);
        } else {
            answer(from, chunk.meta(), current.nextOffset, false);
        }
    }

    private void write(Transfer current, SnapshotChunk chunk) {
        current.writing = true;
        state.setInstalling(chunk.last());
        state.outbox.writeChunk(new WriteChunk(chunk.meta(), chunk.offset(), chunk.data(), chunk.last()));
    }

    /** A piece is stored, or could not be used and the driver names the offset that it needs. */
    void onChunkWritten(SnapshotMeta meta, long nextOffset) {
        Transfer current = transfer;
        if (current == null || !current.meta.equals(meta)) {
            return;
        }
        current.writing = false;
        state.setInstalling(false);
        current.nextOffset = nextOffset;
        answerLeader(meta, nextOffset, false);
    }

    /** The whole snapshot is durable and the state machine was restored from it. */
    void onInstalled(SnapshotMeta meta) {
        Transfer current = transfer;
        Invariants.check(
                current != null && isInstalling() && current.meta.equals(meta),
                "snapshot %d installed that nobody asked for",
                meta.index(),
                0);
        transfer = null;
        state.setInstalling(false);
        state.snapshotInstalled(meta);
        appends.verified(meta.index());
        answerLeader(meta, 0, true);
    }

    private void answerLeader(SnapshotMeta meta, long nextOffset, boolean installed) {
        ReplicaId leader = state.leader();
        if (leader != null && state.role() == Role.FOLLOWER) {
            answer(leader, meta, nextOffset, installed);
        }
    }

    private void answer(ReplicaId leader, SnapshotMeta meta, long nextOffset, boolean installed) {
        state.outbox.send(
                leader, new SnapshotResponse(state.term(), meta.index(), nextOffset, installed, appends.newestRound()));
    }
}
