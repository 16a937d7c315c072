package io.holdfast.storage;

import io.holdfast.raft.Membership;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * The bytes of a snapshot file, format version 1. All numbers are big-endian.
 *
 * <pre>
 * header:  magic "HFSTSNP1"   int version   int header length   16 bytes hash of the replica's incarnation
 *          byte cell name length, name   long index   long term   voters, learners: byte count, each short length, id
 *          int CRC-32C of all that
 * content: blocks of 65,536 bytes, the last one shorter; after each the CRC-32C of its number (long) and bytes
 * trailer: long content length   int magic   int CRC-32C of the header's CRC, all blocks' CRCs and the content length
 * </pre>
 *
 * Blocks have checksums of their own so that an unfinished file can be gone on with after a crash, and so that damage is
 * noticed before a block is sent to a peer.
 */
final class SnapshotFormat {
    static final int BLOCK_BYTES = 64 << 10;
    static final int CRC_BYTES = Integer.BYTES;
    static final int TRAILER_BYTES = 16;
    /** The longest possible header is far below this. */
    static final int MAX_HEADER_BYTES = 1 << 20;

    static final int FIXED_HEADER_BYTES = 16;

    private static final byte[] MAGIC = "HFSTSNP1".getBytes(StandardCharsets.US_ASCII);
    private static final int TRAILER_MAGIC = 0x48464E44;
    private static final int VERSION = 1;
    private static final int HASH_BYTES = 16;

    private SnapshotFormat() {}

    static byte[] header(CellId cell, byte[] identityHash, SnapshotMeta meta) {
        byte[] name = cell.value().getBytes(StandardCharsets.UTF_8);
        int length = FIXED_HEADER_BYTES + HASH_BYTES + 1 + name.length + 16 + CRC_BYTES;
        length += sizeBytes(meta.membership().voters())
                + sizeBytes(meta.membership().learners());
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.put(MAGIC).putInt(VERSION).putInt(length).put(identityHash);
        bytes.put((byte) name.length).put(name).putLong(meta.index()).putLong(meta.term());
        put(bytes, meta.membership().voters());
        put(bytes, meta.membership().learners());
        bytes.putInt(LogFormat.crc(bytes.array(), 0, bytes.position()));
        return bytes.array();
    }

    /**
     * The header's length, from its first {@link #FIXED_HEADER_BYTES} bytes.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static int headerBytes(byte[] start) {
        if (!Arrays.equals(MAGIC, 0, MAGIC.length, start, 0, MAGIC.length)) {
            throw new IllegalArgumentException("this is not a Holdfast snapshot");
        }
        ByteBuffer bytes = ByteBuffer.wrap(start);
        int version = bytes.getInt(8);
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "snapshot format version " + version + ", but this program reads only version " + VERSION);
        }
        int length = bytes.getInt(12);
        if (length < FIXED_HEADER_BYTES + CRC_BYTES || length > MAX_HEADER_BYTES) {
            throw new IllegalArgumentException("the header is damaged");
        }
        return length;
    }

    /**
     * Reads a whole header.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static SnapshotMeta meta(byte[] header, CellId cell, byte[] identityHash) {
        ByteBuffer bytes = ByteBuffer.wrap(header);
        int checked = header.length - CRC_BYTES;
        if (bytes.getInt(checked) != LogFormat.crc(header, 0, checked)) {
            throw new IllegalArgumentException("wrong checksum in the header");
        }
        try {
            bytes.position(FIXED_HEADER_BYTES);
            byte[] hash = new byte[HASH_BYTES];
            bytes.get(hash);
            String name = string(bytes, bytes.get());
            if (!name.equals(cell.value())) {
                throw new IllegalArgumentException("this is a snapshot of cell " + name + ", not of " + cell);
            }
            if (!Arrays.equals(hash, identityHash)) {
                throw new IllegalArgumentException("this snapshot was written by another replica");
            }
            long index = bytes.getLong();
            long term = bytes.getLong();
            return new SnapshotMeta(index, term, new Membership(ids(bytes), ids(bytes)));
        } catch (BufferUnderflowException cut) {
            throw new IllegalArgumentException("the header is damaged", cut);
        }
    }

    /** The CRC in a header; the trailer's CRC begins with it. */
    static int headerCrc(byte[] header) {
        return ByteBuffer.wrap(header).getInt(header.length - CRC_BYTES);
    }

    static int blockCrc(long number, byte[] block, int length) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
        crc.update(block, 0, length);
        return (int) crc.getValue();
    }

    static void add(CRC32C whole, int crc) {
        whole.update(ByteBuffer.allocate(CRC_BYTES).putInt(crc).flip());
    }

    static ByteBuffer trailer(CRC32C whole, long contentBytes) {
        whole.update(ByteBuffer.allocate(Long.BYTES).putLong(contentBytes).flip());
        return ByteBuffer.allocate(TRAILER_BYTES)
                .putLong(contentBytes)
                .putInt(TRAILER_MAGIC)
                .putInt((int) whole.getValue())
                .flip();
    }

    static long blocks(long contentBytes) {
        return (contentBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /** Size of the whole file with this much content. */
    static long fileBytes(int headerBytes, long contentBytes) {
        return headerBytes + contentBytes + blocks(contentBytes) * CRC_BYTES + TRAILER_BYTES;
    }

    private static int sizeBytes(Collection<ReplicaId> ids) {
        int bytes = 1;
        for (ReplicaId id : ids) {
            bytes += 2 + id.value().getBytes(StandardCharsets.UTF_8).length;
        }
        return bytes;
    }

    private static void put(ByteBuffer bytes, Collection<ReplicaId> ids) {
        bytes.put((byte) ids.size());
        for (ReplicaId id : ids) {
            byte[] value = id.value().getBytes(StandardCharsets.UTF_8);
            bytes.putShort((short) value.length).put(value);
        }
    }

    private static SortedSet<ReplicaId> ids(ByteBuffer bytes) {
        SortedSet<ReplicaId> ids = new TreeSet<>();
        int count = bytes.get();
        for (int i = 0; i < count; i++) {
            ids.add(new ReplicaId(string(bytes, bytes.getShort())));
        }
        return ids;
    }

    private static String string(ByteBuffer bytes, int length) {
        if (length < 0 || length > bytes.remaining()) {
            throw new IllegalArgumentException("the header is damaged");
        }
        byte[] value = new byte[length];
        bytes.get(value);
        return new String(value, StandardCharsets.UTF_8);
    }
}
