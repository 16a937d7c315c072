package io.holdfast.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the log on disk, format version 1. All numbers are big-endian.
 *
 * <p>A <b>segment</b> is a file {@code <20 digits of its sequence>.log}: a header, then records without gaps. The last
 * record of every segment but the newest is a seal. Header, 64 bytes:
 *
 * <pre>
 *  0 magic "HFSTWAL1"   8 int version   12 int 0   16 long segment sequence   24 long sequence of its first record
 * 32 long oldest segment still needed when it was made   40 16 bytes hash of the replica's incarnation
 * 56 int 0   60 int CRC-32C of bytes 0 to 59
 * </pre>
 *
 * <p>A <b>record</b> is what one fsync made durable: the changes of all cells that waited. Sequence numbers rise by one
 * over all segments. Header, 32 bytes:
 *
 * <pre>
 *  0 int magic   4 int payload length   8 long sequence, from 1   16 int type   20 int all-zero blocks
 * 24 int CRC-32C of payload and padding   28 int CRC-32C of salt and bytes 0 to 27
 * </pre>
 *
 * then the payload, then 1 to 8 bytes of padding up to a multiple of 8. The salt is the incarnation hash and the segment
 * sequence, so a record in the wrong file is no record.
 *
 * <p><b>Telling a crash from damage.</b> A disk writes sectors of 512 bytes (or a multiple) whole or not at all, in any
 * order, and what was not written reads as zeros or is missing at the end. So a record that a power cut tore either ends
 * early or has more all-zero 512-byte blocks than its writer counted. Every 8-byte word of a record header is non-zero
 * and records are aligned to 8 bytes, so an unwritten part of a header shows too. Anything else that is wrong is damage.
 *
 * <p>A batch payload: long oldest segment still needed (older files may be deleted once this is durable), then cell
 * records until the end, see {@link CellRecord}.
 */
final class LogFormat {
    static final int VERSION = 1;
    static final int SEGMENT_HEADER_BYTES = 64;
    static final int RECORD_HEADER_BYTES = 32;
    static final int SECTOR_BYTES = 512;
    static final int TYPE_BATCH = 1;
    static final int TYPE_SEAL = 2;
    static final String SEGMENT_SUFFIX = ".log";
    /** A segment that is being made; renamed once its header is durable. */
    static final String UNFINISHED_SUFFIX = ".log.new";

    private static final byte[] SEGMENT_MAGIC = "HFSTWAL1".getBytes(StandardCharsets.US_ASCII);
    private static final int RECORD_MAGIC = 0x48464C52;
    private static final int ALIGNMENT = 8;
    private static final byte PADDING = (byte) 0xA5;
    private static final int HASH_BYTES = 16;

    private LogFormat() {}

    /** What the header of a segment says. */
    record SegmentHeader(long sequence, long firstRecord, long oldestNeeded) {}

    /** What the header of a record says. */
    record RecordHeader(int payloadBytes, long sequence, int type, int zeroBlocks, int payloadCrc) {
        long totalBytes() {
            return RECORD_HEADER_BYTES + paddedBytes(payloadBytes);
        }
    }

    static String segmentName(long sequence) {
        return String.format("%020d", sequence) + SEGMENT_SUFFIX;
    }

    /** The sequence in a segment's file name, or -1 if it is not one. */
    static long sequenceOf(String name) {
        if (name.length() != 20 + SEGMENT_SUFFIX.length() || !name.endsWith(SEGMENT_SUFFIX)) {
            return -1;
        }
        try {
            return Long.parseLong(name.substring(0, 20));
        } catch (NumberFormatException notASegment) {
            return -1;
        }
    }

    /** Payload and padding. */
    static long paddedBytes(int payloadBytes) {
        return (payloadBytes / ALIGNMENT + 1L) * ALIGNMENT;
    }

    static byte[] hash(String identity) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            return Arrays.copyOf(whole, HASH_BYTES);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    static byte[] salt(byte[] identityHash, long segmentSequence) {
        return ByteBuffer.allocate(HASH_BYTES + Long.BYTES)
                .put(identityHash)
                .putLong(segmentSequence)
                .array();
    }

    static ByteBuffer encode(SegmentHeader header, byte[] identityHash) {
        ByteBuffer bytes = ByteBuffer.allocate(SEGMENT_HEADER_BYTES);
        bytes.put(SEGMENT_MAGIC).putInt(VERSION).putInt(0);
        bytes.putLong(header.sequence()).putLong(header.firstRecord()).putLong(header.oldestNeeded());
        bytes.put(identityHash).putInt(0);
        bytes.putInt(crc(bytes.array(), 0, SEGMENT_HEADER_BYTES - Integer.BYTES));
        return bytes.flip();
    }

    /**
     * Reads and checks a segment's header.
     *
     * @param bytes as much of the header as the file holds
     */
    static SegmentHeader decode(ByteBuffer bytes, byte[] identityHash, long expectedSequence, String file)
            throws CorruptLogException, ForeignDataException {
        if (bytes.remaining() < SEGMENT_HEADER_BYTES) {
            throw new CorruptLogException(
                    file,
                    bytes.remaining(),
                    bytes.hasRemaining() ? "the file ends inside its header" : "the file is empty");
        }
        byte[] raw = new byte[SEGMENT_HEADER_BYTES];
        bytes.get(raw);
        ByteBuffer header = ByteBuffer.wrap(raw);
        if (!Arrays.equals(SEGMENT_MAGIC, 0, SEGMENT_MAGIC.length, raw, 0, SEGMENT_MAGIC.length)) {
            throw new CorruptLogException(file, 0, "this is not a Holdfast log segment");
        }
        int version = header.getInt(8);
        if (version != VERSION) {
            throw new CorruptLogException(
                    file, 8, "log format version " + version + ", but this program reads only version " + VERSION);
        }
        if (header.getInt(60) != crc(raw, 0, SEGMENT_HEADER_BYTES - Integer.BYTES)) {
            throw new CorruptLogException(file, 0, "wrong checksum in the segment header");
        }
        if (!Arrays.equals(identityHash, 0, HASH_BYTES, raw, 40, 40 + HASH_BYTES)) {
            throw new ForeignDataException(file + ": this log was written by another replica");
        }
        long sequence = header.getLong(16);
        if (sequence != expectedSequence) {
            throw new CorruptLogException(file, 16, "the header says segment " + sequence);
        }
        return new SegmentHeader(sequence, header.getLong(24), header.getLong(32));
    }

    /**
     * Finishes a record in place: header before, padding after the payload.
     *
     * @param bytes position 0; the payload lies from {@link #RECORD_HEADER_BYTES} to the limit; comes back ready to write
     * @param fileOffset where the record will begin in its file
     */
    static ByteBuffer finish(ByteBuffer bytes, int type, long sequence, byte[] salt, long fileOffset) {
        int payloadBytes = bytes.limit() - RECORD_HEADER_BYTES;
        int totalBytes = Math.toIntExact(RECORD_HEADER_BYTES + paddedBytes(payloadBytes));
        int end = bytes.limit();
        bytes.limit(totalBytes);
        while (end < totalBytes) {
            bytes.put(end++, PADDING);
        }
        bytes.putInt(0, RECORD_MAGIC)
                .putInt(4, payloadBytes)
                .putLong(8, sequence)
                .putInt(16, type);
        // The blocks are counted with a header that is non-zero in every word, as the final one is.
        bytes.putInt(20, 1).putInt(24, -1).putInt(28, -1);
        bytes.putInt(20, zeroBlocks(bytes.array(), totalBytes, fileOffset));
        bytes.putInt(24, crc(bytes.array(), RECORD_HEADER_BYTES, totalBytes - RECORD_HEADER_BYTES));
        bytes.putInt(28, headerCrc(bytes.array(), 0, salt));
        return bytes.position(0);
    }

    /** The record header at an offset of an array, or null if there is none that is whole. */
    static @Nullable RecordHeader recordHeader(byte[] bytes, int at, byte[] salt) {
        ByteBuffer header = ByteBuffer.wrap(bytes);
        if (header.getInt(at) != RECORD_MAGIC || header.getInt(at + 28) != headerCrc(bytes, at, salt)) {
            return null;
        }
        return new RecordHeader(
                header.getInt(at + 4),
                header.getLong(at + 8),
                header.getInt(at + 16),
                header.getInt(at + 20),
                header.getInt(at + 24));
    }

    /** Whether these bytes can be the first ones of the record with this sequence number. */
    static boolean canBegin(byte[] bytes, int length, long sequence) {
        ByteBuffer start = ByteBuffer.wrap(bytes);
        return (length < 4 || start.getInt(0) == RECORD_MAGIC) && (length < 16 || start.getLong(8) == sequence);
    }

    /**
     * How many 512-byte blocks of the file are all zero where this piece lies in them.
     *
     * @param fileOffset where the piece begins in the file
     */
    static int zeroBlocks(byte[] piece, int length, long fileOffset) {
        int zeroBlocks = 0;
        int from = 0;
        while (from < length) {
            int to = Math.min(length, from + SECTOR_BYTES - (int) ((fileOffset + from) % SECTOR_BYTES));
            if (isZero(piece, from, to)) {
                zeroBlocks++;
            }
            from = to;
        }
        return zeroBlocks;
    }

    static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    private static int headerCrc(byte[] bytes, int at, byte[] salt) {
        CRC32C crc = new CRC32C();
        crc.update(salt);
        crc.update(bytes, at, RECORD_HEADER_BYTES - Integer.BYTES);
        return (int) crc.getValue();
    }
}
