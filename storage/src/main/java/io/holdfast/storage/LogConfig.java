package io.holdfast.storage;

/**
 * Sizes of the write-ahead log.
 *
 * @param segmentBytes a segment that has reached this size is closed before the next batch; one batch may overshoot it
 * @param pinnedBytes dead bytes that quiet cells may keep on disk before {@link LogStore#pinning()} names them
 * @param maxRecordBytes largest record, checked before it is written and before memory is taken to read it
 */
public record LogConfig(long segmentBytes, long pinnedBytes, int maxRecordBytes) {
    /** 8 MB segments, 16 MB pinned, records up to 512 MB. */
    public static final LogConfig DEFAULT = new LogConfig(8L << 20, 16L << 20, 512 << 20);

    public LogConfig {
        if (segmentBytes < LogFormat.SEGMENT_HEADER_BYTES + LogFormat.RECORD_HEADER_BYTES
                || pinnedBytes < 0
                || maxRecordBytes < 1024) {
            throw new IllegalArgumentException(
                    "log sizes out of range: " + segmentBytes + ", " + pinnedBytes + ", " + maxRecordBytes);
        }
    }
}
