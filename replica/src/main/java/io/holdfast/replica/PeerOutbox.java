package io.holdfast.replica;

import io.holdfast.model.Limits;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.PeerFrame.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects what all cells say to each peer in one turn, so that it travels together.
 *
 * <p><b>Thread:</b> the loop. <b>Invariant:</b> a frame is closed once it holds {@link Limits#MAX_BATCH_BYTES}, so none is
 * larger than that and one message (R8.4).
 */
final class PeerOutbox {
    private static final int MESSAGE_OVERHEAD_BYTES = 64;

    private static final class Pending {
        List<CellMessage> messages = new ArrayList<>();
        long sizeBytes;
    }

    private final ReplicaId self;
    private final PeerTransport transport;
    /** Of the deployment. */
    private final int shards;

    private final Map<ReplicaId, Pending> pending = new TreeMap<>();

    PeerOutbox(ReplicaId self, PeerTransport transport, int shards) {
        this.self = self;
        this.shards = shards;
        this.transport = transport;
    }

    void add(ReplicaId to, CellMessage message) {
        Pending waiting = pending.computeIfAbsent(to, id -> new Pending());
        waiting.messages.add(message);
        waiting.sizeBytes += sizeOf(message.message());
        if (waiting.sizeBytes >= Limits.MAX_BATCH_BYTES) {
            send(to, waiting);
        }
    }

    /** Sends what waits. */
    void flush() {
        pending.forEach(this::send);
        pending.clear();
    }

    private void send(ReplicaId to, Pending waiting) {
        if (!waiting.messages.isEmpty()) {
            transport.send(to.name(), new Messages(self, to, waiting.messages, shards));
            waiting.messages = new ArrayList<>();
            waiting.sizeBytes = 0;
        }
    }

    /** About how many bytes a message takes. */
    static long sizeOf(RaftMessage message) {
        long size = MESSAGE_OVERHEAD_BYTES;
        if (message instanceof AppendRequest append) {
            for (LogEntry entry : append.entries()) {
                size += entry.sizeBytes();
            }
        } else if (message instanceof SnapshotChunk chunk) {
            size += chunk.data().length;
        }
        return size;
    }
}
