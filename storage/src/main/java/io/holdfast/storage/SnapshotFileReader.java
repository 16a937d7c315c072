package io.holdfast.storage;

import io.holdfast.raft.SnapshotMeta;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** An open, complete snapshot file; everything read from it is checked. */
final class SnapshotFileReader implements Closeable {
    private final DiskFile file;
    private final String name;
    private final byte[] header;
    private final SnapshotMeta meta;
    private final long contentBytes;

    /**
     * Checks header, trailer and size, not the content. Closes the file if it fails.
     *
     * @throws DamagedFileException naming the file
     */
    SnapshotFileReader(DiskFile file, String name, CellId cell, byte[] identityHash) throws IOException {
        this.file = file;
        this.name = name;
        try {
            if (file.sizeBytes() < SnapshotFormat.FIXED_HEADER_BYTES + SnapshotFormat.TRAILER_BYTES) {
                throw damaged(file.sizeBytes() == 0 ? "the file is empty" : "the file is truncated");
            }
            int headerBytes = SnapshotFormat.headerBytes(bytes(0, SnapshotFormat.FIXED_HEADER_BYTES));
            if (headerBytes + SnapshotFormat.TRAILER_BYTES > file.sizeBytes()) {
                throw damaged("the file is truncated");
            }
            this.header = bytes(0, headerBytes);
            this.meta = SnapshotFormat.meta(header, cell, identityHash);
            ByteBuffer trailer = ByteBuffer.wrap(
                    bytes(file.sizeBytes() - SnapshotFormat.TRAILER_BYTES, SnapshotFormat.TRAILER_BYTES));
            this.contentBytes = trailer.getLong(0);
            boolean fits = contentBytes >= 0
                    && contentBytes <= file.sizeBytes()
                    && SnapshotFormat.fileBytes(headerBytes, contentBytes) == file.sizeBytes();
            if (!fits) {
                throw damaged("the file is truncated or its end is damaged");
            }
        } catch (IllegalArgumentException wrong) {
            file.close();
            throw damaged(String.valueOf(wrong.getMessage()));
        } catch (IOException failed) {
            file.close();
            throw failed;
        }
    }

    SnapshotMeta meta() {
        return meta;
    }

    long contentBytes() {
        return contentBytes;
    }

    /** Checks all of the content. */
    void verify() throws IOException {
        CRC32C whole = new CRC32C();
        SnapshotFormat.add(whole, SnapshotFormat.headerCrc(header));
        for (long number = 0; number < SnapshotFormat.blocks(contentBytes); number++) {
            byte[] block = block(number);
            SnapshotFormat.add(whole, SnapshotFormat.blockCrc(number, block, block.length));
        }
        ByteBuffer expected = SnapshotFormat.trailer(whole, contentBytes);
        byte[] found = bytes(file.sizeBytes() - SnapshotFormat.TRAILER_BYTES, SnapshotFormat.TRAILER_BYTES);
        if (!expected.equals(ByteBuffer.wrap(found))) {
            throw damaged("wrong checksum at the end");
        }
    }

    /** Content bytes from an offset on; fewer than asked only at the end. */
    byte[] read(long offset, int maxBytes) throws IOException {
        long left = Math.max(0, contentBytes - offset);
        ByteBuffer content = ByteBuffer.allocate((int) Math.min(maxBytes, left));
        while (content.hasRemaining()) {
            long at = offset + content.position();
            byte[] block = block(at / SnapshotFormat.BLOCK_BYTES);
            int from = (int) (at % SnapshotFormat.BLOCK_BYTES);
            content.put(block, from, Math.min(content.remaining(), block.length - from));
        }
        return content.array();
    }

    private byte[] block(long number) throws IOException {
        long start = number * SnapshotFormat.BLOCK_BYTES;
        int length = (int) Math.min(SnapshotFormat.BLOCK_BYTES, contentBytes - start);
        long at = header.length + start + number * SnapshotFormat.CRC_BYTES;
        byte[] raw = bytes(at, length + SnapshotFormat.CRC_BYTES);
        byte[] block = Arrays.copyOf(raw, length);
        if (ByteBuffer.wrap(raw).getInt(length) != SnapshotFormat.blockCrc(number, block, length)) {
            throw damaged("wrong checksum of the block at offset " + at);
        }
        return block;
    }

    private byte[] bytes(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (file.read(offset, ByteBuffer.wrap(bytes)) != length) {
            throw damaged("the file is truncated");
        }
        return bytes;
    }

    private DamagedFileException damaged(String problem) {
        return new DamagedFileException(name, "snapshot: " + problem);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
