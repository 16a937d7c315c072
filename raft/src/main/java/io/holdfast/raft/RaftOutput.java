package io.holdfast.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the driver has to do after stepping inputs. All lists are in order.
 *
 * <p><b>Order of work:</b> hand {@code persist} to the log store (do not wait) → send {@code messages}, all of which may
 * go at once: the core itself holds back what depends on the disk → apply {@code committed} → serve {@code reads}.
 *
 * @param persist what to make durable, or null; answered by {@link RaftInput.Persisted}
 * @param messages to send now
 * @param committed entries to apply, each exactly once, in index order; all are durable here too
 * @param proposed which proposals got which place in the log
 * @param refused proposals and reads that this replica will not carry out
 * @param reads confirmed reads; serve each once the applied index reaches its index
 * @param readChunks pieces of the newest snapshot that a follower needs
 * @param writeChunks pieces of a snapshot from the leader to store
 * @param roleChange the new role, term or leader if any of them changed since the last output
 * @param nextDeadlineNanos step {@link RaftInput.Tick} no later than this
 */
public record RaftOutput(
        @Nullable Persist persist,
        List<RaftMessage.Envelope> messages,
        List<LogEntry> committed,
        List<Proposed> proposed,
        List<Refused> refused,
        List<ReadConfirmed> reads,
        List<ReadChunk> readChunks,
        List<WriteChunk> writeChunks,
        @Nullable RoleChange roleChange,
        long nextDeadlineNanos) {
    /**
     * Things to make durable in one go.
     *
     * @param sequence rises by one with each persist of this core's life
     * @param hardState the term and vote if they changed, or null
     * @param entries contiguous; the first one replaces whatever the log holds at and after its index
     * @param base the new start of the log if it was compacted or replaced by a snapshot, or null
     */
    public record Persist(
            long sequence,
            @Nullable HardState hardState,
            List<LogEntry> entries,
            @Nullable LogBase base) {}

    /**
     * The log begins after {@code index}; the snapshot that covers it is durable already.
     *
     * @param discardTail true when a snapshot from the leader replaces the whole log
     */
    public record LogBase(long index, long term, boolean discardTail) {}

    /** The proposal with {@code tag} stands at {@code index}; it is committed if the entry there has {@code term}. */
    public record Proposed(long tag, long index, long term) {}

    /** A proposal or read that was not, and will not be, carried out by this replica. */
    public record Refused(long tag, Reason reason) {
        /** Why. */
        public enum Reason {
            /** Another replica leads, or nobody does. */
            NOT_LEADER,
            /** Too many bytes wait for commit. */
            BUSY,
            /** The lead is being handed over. */
            TRANSFERRING,
            /** A membership change is under way, or this term's no-op is not committed yet (R8.2). */
            CHANGE_PENDING,
            /** The learner to promote has not caught up. */
            NOT_CAUGHT_UP,
            /** The change makes no sense: unknown replica, already a member, last voter. */
            INVALID_CHANGE
        }
    }

    /** Leadership was confirmed for the read with {@code tag}; answer it from the state at or after {@code index}. */
    public record ReadConfirmed(long tag, long index) {}

    /** Read up to the configured chunk size of the newest durable snapshot at {@code offset} for {@code peer}. */
    public record ReadChunk(ReplicaId peer, SnapshotMeta meta, long offset) {}

    /** Store a piece of a snapshot; when {@code last}, make it durable, restore the state machine and say so. */
    public record WriteChunk(SnapshotMeta meta, long offset, byte[] data, boolean last) {}

    /** Who this replica is now. */
    public record RoleChange(Role role, long term, @Nullable ReplicaId leader) {}

    /** Roles of a replica. */
    public enum Role {
        FOLLOWER,
        PRE_CANDIDATE,
        CANDIDATE,
        LEADER
    }
}
