package io.holdfast.storage;

import io.holdfast.raft.RaftOutput;
import java.util.Map;
import java.util.Set;

/**
 * The durable logs of all cells of a process.
 *
 * <p><b>Thread:</b> the replica loop calls; {@code done} may run on any thread and must only post to a mailbox.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>{@code done} runs only when everything in the request, and in all earlier requests of any cell, is durable.
 *   <li>Requests of one cell become durable in the order in which they were handed over.
 *   <li>A failed write or fsync never leads to {@code done}; it ends the process (R8.3). On a full disk the store cuts
 *       the failed batch off again, reports it through {@link Failure}, keeps its queue and writes it once there is room.
 * </ol>
 */
public interface LogStore extends AutoCloseable {
    /** What was found on disk for each cell, by cell. */
    Map<CellId, RecoveredLog> recovered();

    /** Queues a request and returns at once. */
    void persist(CellId cell, RaftOutput.Persist request, Runnable done);

    /**
     * Replaces all records of a quiet cell by one record at the end of the log, so that the old segments it pins can be
     * deleted. Ordered like {@link #persist}.
     */
    void rewrite(CellId cell, RecoveredLog contents, Runnable done);

    /**
     * The cells whose oldest live record keeps old segments from being deleted, when more than the configured amount is
     * pinned; empty otherwise.
     */
    Set<CellId> pinning();

    /** Bytes of log on disk. */
    long sizeBytes();

    /**
     * Ends the writer; what was queued before is made durable first, unless the disk does not answer within a few seconds.
     */
    @Override
    void close();

    /** Told, on the writer's thread, when the store cannot go on. */
    interface Failure {
        /** The disk is full: nothing is made durable until {@link #roomAgain()}. Told once per outage. */
        void diskFull(Exception cause);

        /** Writing works again after a full disk. */
        void roomAgain();

        /** A write or fsync failed for another reason: the process must end now. */
        void fatal(Exception cause);
    }
}
