package io.holdfast.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes one snapshot file under its name aside.
 *
 * <p><b>Invariant:</b> the file holds its header and whole blocks only; the block being filled is in memory until it is
 * full or the snapshot is committed.
 */
final class SnapshotFileWriter implements SnapshotStore.Writer {
    private final Disk disk;
    private final String aside;
    private final Committed committed;
    private final DiskFile file;
    private final CRC32C whole = new CRC32C();
    private final byte[] block = new byte[SnapshotFormat.BLOCK_BYTES];
    private int inBlock;
    private long blocks;
    private State state = State.OPEN;

    private enum State {
        OPEN,
        FAILED,
        COMMITTED,
        CLOSED
    }

    /** Makes a durable file visible under its name. */
    interface Committed {
        void publish() throws IOException;
    }

    private SnapshotFileWriter(Disk disk, String aside, DiskFile file, int headerCrc, Committed committed) {
        this.disk = disk;
        this.aside = aside;
        this.file = file;
        this.committed = committed;
        SnapshotFormat.add(whole, headerCrc);
    }

    static SnapshotFileWriter begin(Disk disk, String aside, byte[] header, Committed committed) throws IOException {
        disk.delete(aside);
        DiskFile file = disk.create(aside);
        SnapshotFileWriter writer =
                new SnapshotFileWriter(disk, aside, file, SnapshotFormat.headerCrc(header), committed);
        writer.appendOrFail(ByteBuffer.wrap(header));
        return writer;
    }

    /** Goes on after the last block that is whole, or begins again if the file does not begin with this header. */
    static SnapshotFileWriter resume(Disk disk, String aside, byte[] header, Committed committed) throws IOException {
        DiskFile file = disk.open(aside);
        ByteBuffer found = ByteBuffer.allocate(header.length);
        file.read(0, found);
        if (!found.flip().equals(ByteBuffer.wrap(header))) {
            file.close();
            return begin(disk, aside, header, committed);
        }
        SnapshotFileWriter writer =
                new SnapshotFileWriter(disk, aside, file, SnapshotFormat.headerCrc(header), committed);
        writer.skipWholeBlocks(header.length);
        return writer;
    }

    private void skipWholeBlocks(int headerBytes) throws IOException {
        int stored = SnapshotFormat.BLOCK_BYTES + SnapshotFormat.CRC_BYTES;
        ByteBuffer raw = ByteBuffer.allocate(stored);
        long at = headerBytes;
        while (file.read(at, raw.clear()) == stored) {
            int crc = SnapshotFormat.blockCrc(blocks, raw.array(), SnapshotFormat.BLOCK_BYTES);
            if (raw.getInt(SnapshotFormat.BLOCK_BYTES) != crc) {
                break;
            }
            SnapshotFormat.add(whole, crc);
            blocks++;
            at += stored;
        }
        file.truncate(at);
    }

    @Override
    public long offset() {
        return blocks * SnapshotFormat.BLOCK_BYTES + inBlock;
    }

    @Override
    public void write(byte[] data, int from, int length) throws IOException {
        requireOpen();
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, block.length - inBlock);
            System.arraycopy(data, from + done, block, inBlock, part);
            inBlock += part;
            done += part;
            if (inBlock == block.length) {
                appendBlock();
                blocks++;
                inBlock = 0;
            }
        }
    }

    private void appendBlock() throws IOException {
        int crc = SnapshotFormat.blockCrc(blocks, block, inBlock);
        ByteBuffer stored = ByteBuffer.allocate(inBlock + SnapshotFormat.CRC_BYTES);
        appendOrFail(stored.put(block, 0, inBlock).putInt(crc).flip());
        SnapshotFormat.add(whole, crc);
    }

    @Override
    public void commit() throws IOException {
        requireOpen();
        long contentBytes = offset();
        if (inBlock > 0) {
            appendBlock();
        }
        appendOrFail(SnapshotFormat.trailer(whole, contentBytes));
        state = State.FAILED;
        try {
            file.sync();
        } catch (IOException failure) {
            throw new FsyncFailedException(disk.describe(aside), failure);
        }
        committed.publish();
        state = State.COMMITTED;
    }

    private void appendOrFail(ByteBuffer bytes) throws IOException {
        try {
            file.append(bytes);
        } catch (IOException failure) {
            state = State.FAILED;
            close();
            throw failure;
        }
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("the snapshot writer is " + state);
        }
    }

    /** After a failure the file is removed: on a full disk it would only be in the way. */
    @Override
    public void close() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        State before = state;
        state = State.CLOSED;
        file.close();
        if (before == State.FAILED) {
            disk.delete(aside);
        }
    }
}
