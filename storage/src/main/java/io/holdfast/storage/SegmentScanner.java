package io.holdfast.storage;

import io.holdfast.storage.LogFormat.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment from its first record to its end and tells what a crash tore from what was damaged.
 *
 * <p><b>Source:</b> R8.3, C67; the reasoning is in {@link LogFormat}.
 */
final class SegmentScanner {
    private final FileWindow window;
    private final String name;
    private final byte[] salt;
    private final int maxRecordBytes;
    private final long sizeBytes;

    /** Takes each batch, in order. */
    interface Visitor {
        void batch(long offset, ByteBuffer payload) throws CorruptLogException;
    }

    /**
     * How far the segment is good.
     *
     * @param endOffset after the last good record
     * @param nextRecord sequence number that the next record will have
     * @param sealed true if the last good record is a seal
     * @param torn what a crash left at the end, or null if the segment ends with a good record
     */
    record End(
            long endOffset,
            long nextRecord,
            boolean sealed,
            @Nullable String torn) {}

    SegmentScanner(DiskFile file, String name, byte[] salt, int maxRecordBytes) throws IOException {
        this.sizeBytes = file.sizeBytes();
        this.window = new FileWindow(file, sizeBytes);
        this.name = name;
        this.salt = salt;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * @throws CorruptLogException if anything is wrong that a crash cannot have done to the last record of a log
     */
    End scan(long firstRecord, Visitor visitor) throws IOException {
        long offset = LogFormat.SEGMENT_HEADER_BYTES;
        long expected = firstRecord;
        boolean sealed = false;
        while (offset < sizeBytes) {
            byte[] start = window.read(offset, (int) Math.min(LogFormat.RECORD_HEADER_BYTES, sizeBytes - offset));
            RecordHeader header =
                    start.length < LogFormat.RECORD_HEADER_BYTES ? null : LogFormat.recordHeader(start, 0, salt);
            if (header == null) {
                return new End(offset, expected, sealed, whyHeaderIsTorn(offset, start, expected));
            }
            checkHeader(offset, header, expected, sealed);
            if (header.totalBytes() > sizeBytes - offset) {
                return new End(offset, expected, false, "the file ends inside a record");
            }
            byte[] record = window.read(offset, (int) header.totalBytes());
            int checkedBytes = record.length - LogFormat.RECORD_HEADER_BYTES;
            if (LogFormat.crc(record, LogFormat.RECORD_HEADER_BYTES, checkedBytes) != header.payloadCrc()) {
                return new End(offset, expected, false, whyPayloadIsTorn(offset, record, header));
            }
            if (header.type() == LogFormat.TYPE_SEAL) {
                sealed = true;
            } else {
                visitor.batch(offset, ByteBuffer.wrap(record, LogFormat.RECORD_HEADER_BYTES, header.payloadBytes()));
            }
            offset += header.totalBytes();
            expected++;
        }
        return new End(offset, expected, sealed, null);
    }

    private void checkHeader(long offset, RecordHeader header, long expected, boolean sealed)
            throws CorruptLogException {
        if (header.sequence() != expected) {
            throw damaged(offset, "record " + header.sequence() + " stands where record " + expected + " should");
        }
        if (sealed) {
            throw damaged(offset, "a record after the segment's seal");
        }
        if (header.payloadBytes() < 0 || header.totalBytes() > maxRecordBytes) {
            throw damaged(offset, "a record of " + header.payloadBytes() + " bytes, the limit is " + maxRecordBytes);
        }
        boolean batch = header.type() == LogFormat.TYPE_BATCH && header.payloadBytes() >= Long.BYTES;
        if (!batch && header.type() != LogFormat.TYPE_SEAL) {
            throw damaged(offset, "a record of unknown type " + header.type());
        }
    }

    /** All bytes of the record are present, its header is good, its payload is not. */
    private String whyPayloadIsTorn(long offset, byte[] record, RecordHeader header) throws IOException {
        int zeroBlocks = LogFormat.zeroBlocks(record, record.length, offset);
        if (zeroBlocks <= header.zeroBlocks()) {
            throw damaged(offset, "wrong checksum in record " + header.sequence() + ", all its bytes are present");
        }
        if (!window.isZeroFrom(offset + record.length)) {
            throw damaged(offset, "wrong checksum in record " + header.sequence() + ", and it is not the last one");
        }
        return (zeroBlocks - header.zeroBlocks()) + " sectors of the last record were never written";
    }

    private String whyHeaderIsTorn(long offset, byte[] start, long expected) throws IOException {
        if (window.isZeroFrom(offset)) {
            return "only zeros follow";
        }
        boolean unwritten = LogFormat.zeroBlocks(start, start.length, offset) > 0;
        if (start.length < LogFormat.RECORD_HEADER_BYTES) {
            if (unwritten || LogFormat.canBegin(start, start.length, expected)) {
                return "the file ends inside the header of a record";
            }
            throw damaged(offset, "bytes that are no record");
        }
        if (!unwritten) {
            throw damaged(offset, "wrong checksum in the header of record " + expected);
        }
        long later = findLaterRecord(offset, expected);
        if (later >= 0) {
            throw damaged(offset, "record " + expected + " is damaged and a good one follows at offset " + later);
        }
        return "the header of the last record was never written";
    }

    private long findLaterRecord(long afterOffset, long sequence) throws IOException {
        int step = Long.BYTES;
        for (long at = afterOffset + step; at + LogFormat.RECORD_HEADER_BYTES <= sizeBytes; at += step) {
            RecordHeader header = LogFormat.recordHeader(window.read(at, LogFormat.RECORD_HEADER_BYTES), 0, salt);
            if (header != null && header.sequence() > sequence) {
                return at;
            }
        }
        return -1;
    }

    private CorruptLogException damaged(long offset, String problem) {
        return new CorruptLogException(name, offset, problem);
    }
}
