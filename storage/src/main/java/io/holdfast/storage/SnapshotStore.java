package io.holdfast.storage;

import io.holdfast.raft.SnapshotMeta;
import java.io.IOException;
import java.util.Optional;

/**
 * The snapshot files of one cell: written aside, fsynced, renamed, directory fsynced; each checked by a CRC-32C.
 *
 * <p><b>Thread:</b> each call blocks on the disk and so runs on a worker, not on the loop; one writer at a time per cell.
 */
public interface SnapshotStore {
    /** The newest complete snapshot. Fails if a snapshot file is damaged (R8.3). */
    Optional<SnapshotMeta> newest() throws IOException;

    /** Begins a file beside the present ones; nothing is visible until {@link Writer#commit()}. */
    Writer begin(SnapshotMeta meta) throws IOException;

    /** Goes on with an unfinished transfer of the same snapshot if there is one, else begins. */
    Writer resume(SnapshotMeta meta) throws IOException;

    /** Reads content bytes of a complete snapshot; shorter than asked only at the end. Empty if it is gone. */
    Optional<byte[]> read(SnapshotMeta meta, long offset, int maxBytes) throws IOException;

    /** Size of the content in bytes, or empty if it is gone. */
    Optional<Long> sizeBytes(SnapshotMeta meta) throws IOException;

    /** Deletes all but the newest {@code keep} snapshots and unfinished files; a missing file is no error (C69). */
    void prune(int keep) throws IOException;

    /** Writes one snapshot's content in order. */
    interface Writer extends AutoCloseable {
        /** Bytes accepted so far. */
        long offset();

        void write(byte[] data, int from, int length) throws IOException;

        /**
         * Makes the snapshot durable and visible under its name.
         *
         * @throws FsyncFailedException if it may be durable or not: the process must end (R8.3)
         */
        void commit() throws IOException;

        /** Without a commit: leaves an unfinished file that {@link SnapshotStore#resume} can go on with. */
        @Override
        void close() throws IOException;
    }
}
