package io.holdfast.storage;

import java.nio.ByteBuffer;

/**
 * The record being filled for the next fsync: room for its header, then payload.
 *
 * <p><b>Thread:</b> one at a time.
 */
final class RecordBuffer {
    /** A buffer that one large batch made larger than this is given back after it. */
    private static final int KEEP_BYTES = 8 << 20;

    private static final int START_BYTES = 64 << 10;
    /** Room behind the payload for its padding. */
    private static final int SPARE_BYTES = 16;

    private final int maxBytes;
    private ByteBuffer bytes = ByteBuffer.allocate(START_BYTES);

    RecordBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
        reset();
    }

    void reset() {
        if (bytes.capacity() > KEEP_BYTES) {
            bytes = ByteBuffer.allocate(START_BYTES);
        }
        bytes.clear();
        bytes.position(LogFormat.RECORD_HEADER_BYTES + Long.BYTES);
    }

    boolean isEmpty() {
        return bytes.position() == LogFormat.RECORD_HEADER_BYTES + Long.BYTES;
    }

    /** The buffer at the end of the payload, with room for this many more bytes. */
    ByteBuffer reserve(long moreBytes) {
        long needed = bytes.position() + moreBytes + SPARE_BYTES;
        Invariants.check(needed <= maxBytes, "a log record of %d bytes, the limit is %d", needed, maxBytes);
        if (needed > bytes.capacity()) {
            long doubled = Math.min(maxBytes, 2L * bytes.capacity());
            ByteBuffer larger = ByteBuffer.allocate((int) Math.max(needed, doubled));
            larger.put(bytes.flip());
            bytes = larger;
        }
        return bytes;
    }

    /** The record as it goes to disk; the payload stays, so that a failed write can be repeated elsewhere. */
    ByteBuffer finish(long oldestNeeded, long sequence, byte[] salt, long fileOffset) {
        ByteBuffer whole = bytes.duplicate().flip();
        whole.putLong(LogFormat.RECORD_HEADER_BYTES, oldestNeeded);
        return LogFormat.finish(whole, LogFormat.TYPE_BATCH, sequence, salt, fileOffset);
    }
}
