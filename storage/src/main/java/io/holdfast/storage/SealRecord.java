package io.holdfast.storage;

import java.nio.ByteBuffer;

/**
 * The last record of a finished segment. It is written once the next segment is durable under its name and before that
 * one gets a record, so a log whose newest segment has been lost ends with a seal and is refused.
 */
final class SealRecord {
    private SealRecord() {}

    static ByteBuffer encode(long sequence, byte[] salt, long fileOffset) {
        ByteBuffer bytes = ByteBuffer.allocate(LogFormat.RECORD_HEADER_BYTES + Long.BYTES);
        bytes.limit(LogFormat.RECORD_HEADER_BYTES);
        return LogFormat.finish(bytes, LogFormat.TYPE_SEAL, sequence, salt, fileOffset);
    }
}
