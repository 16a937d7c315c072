package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.SnapshotStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * Snapshot files as streams, for the state machine that writes and reads them.
 *
 * <p><b>Thread:</b> a worker; blocks on the disk.
 */
final class SnapshotStreams {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int READ_BYTES = 1 << 20;

    private SnapshotStreams() {}

    /** The state in a snapshot that exists. */
    static CellStateMachine restore(HostedCell cell, SnapshotMeta meta) throws IOException {
        CellStateMachine machine;
        try (InputStream in = new In(cell.snapshots(), meta)) {
            machine = CellStateMachine.restore(cell.limits(), in);
        }
        if (machine.appliedIndex() != meta.index()) {
            throw new StartRefusedException("cell " + cell.id() + ": the snapshot of index " + meta.index()
                    + " holds the state of index " + machine.appliedIndex());
        }
        return machine;
    }

    /** Gathers small writes. */
    static final class Out extends OutputStream {
        private final SnapshotStore.Writer writer;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private int used;

        Out(SnapshotStore.Writer writer) {
            this.writer = writer;
        }

        @Override
        public void write(int oneByte) throws IOException {
            if (used == buffer.length) {
                flush();
            }
            buffer[used++] = (byte) oneByte;
        }

        @Override
        public void write(byte[] data, int from, int length) throws IOException {
            if (length > buffer.length - used) {
                flush();
            }
            if (length > buffer.length) {
                writer.write(data, from, length);
            } else {
                System.arraycopy(data, from, buffer, used, length);
                used += length;
            }
        }

        @Override
        public void flush() throws IOException {
            writer.write(buffer, 0, used);
            used = 0;
        }
    }

    private static final class In extends InputStream {
        private final SnapshotStore store;
        private final SnapshotMeta meta;
        private long offset;
        private byte[] piece = new byte[0];
        private int at;
        private boolean ended;

        In(SnapshotStore store, SnapshotMeta meta) {
            this.store = store;
            this.meta = meta;
        }

        private boolean fill() throws IOException {
            if (at < piece.length) {
                return true;
            }
            if (ended) {
                return false;
            }
            Optional<byte[]> next = store.read(meta, offset, READ_BYTES);
            if (next.isEmpty()) {
                throw new FileNotFoundException("the snapshot of index " + meta.index() + " is gone");
            }
            piece = next.get();
            at = 0;
            offset += piece.length;
            ended = piece.length < READ_BYTES;
            return piece.length > 0;
        }

        @Override
        public int read() throws IOException {
            return fill() ? piece[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, target, from, count);
            at += count;
            return count;
        }
    }
}
