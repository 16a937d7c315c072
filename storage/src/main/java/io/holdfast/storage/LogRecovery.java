package io.holdfast.storage;

import io.holdfast.storage.LogFormat.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log directory when it is opened: checks everything first, and only then repairs what a crash left.
 *
 * <p>What a crash may leave, and what is done:
 *
 * <ol>
 *   <li>a segment that was being made, under its name aside: removed;
 *   <li>segments that the log had already given up: removed;
 *   <li>a torn last record of the newest segment: cut off;
 *   <li>an empty newest segment beside one whose seal is missing or torn: sealed.
 * </ol>
 *
 * Everything else is damage and refused (R8.3, C67).
 */
final class LogRecovery {
    private final SegmentFiles files;
    private final LogConfig config;
    private final Map<CellId, CellReplay> replays = new HashMap<>();
    private final List<RecoveryReport.Cut> cuts = new ArrayList<>();
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();
    private long oldestNeeded;

    /** A segment on disk and how long its good part is. */
    record Segment(long sequence, long sizeBytes) {}

    /**
     * An open log.
     *
     * @param segments oldest first; the last one is {@code current}
     * @param current open for appending
     */
    record Opened(
            ArrayDeque<Segment> segments,
            DiskFile current,
            long nextRecord,
            long oldestNeeded,
            Map<CellId, CellTrack> tracks,
            Map<CellId, RecoveredLog> recovered,
            RecoveryReport report) {}

    /** What to repair at the end of the log. */
    private record Tail(long sequence, SegmentScanner.End end) {}

    LogRecovery(SegmentFiles files, LogConfig config) {
        this.files = files;
        this.config = config;
    }

    Opened open() throws IOException {
        files.createDirectory();
        List<Long> present = files.list();
        if (present.isEmpty()) {
            cuts.addAll(files.removeUnfinished());
            DiskFile first = files.create(new SegmentHeader(1, 1, 1));
            segments.add(new Segment(1, LogFormat.SEGMENT_HEADER_BYTES));
            return new Opened(segments, first, 1, 1, new HashMap<>(), new TreeMap<>(), new RecoveryReport(cuts));
        }
        long newest = present.get(present.size() - 1);
        oldestNeeded = oldestNeededAsOf(newest);
        checkNoneMissing(present, newest);
        Tail beforeNewest = null;
        Tail last = null;
        long nextRecord = -1;
        for (long sequence = oldestNeeded; sequence <= newest; sequence++) {
            beforeNewest = last;
            last = replay(sequence, newest, nextRecord, beforeNewest);
            nextRecord = last.end().nextRecord() + (isUnsealed(last, newest) ? 1 : 0);
        }
        Map<CellId, RecoveredLog> recovered = finishReplays(newest);
        DiskFile current = repair(present, beforeNewest, requireTail(last));
        Map<CellId, CellTrack> tracks = new HashMap<>();
        replays.forEach((cell, replay) -> tracks.put(cell, replay.track()));
        return new Opened(segments, current, nextRecord, oldestNeeded, tracks, recovered, new RecoveryReport(cuts));
    }

    /** The newest segment says from where on segments must be present. */
    private long oldestNeededAsOf(long newest) throws IOException {
        long[] oldest = {0};
        try (DiskFile file = files.open(newest)) {
            SegmentHeader header = files.readHeader(file, newest);
            oldest[0] = header.oldestNeeded();
            scanner(file, newest).scan(header.firstRecord(), (offset, payload) -> {
                oldest[0] = Math.max(oldest[0], payload.getLong());
            });
        }
        if (oldest[0] < 1 || oldest[0] > newest) {
            throw new CorruptLogException(files.describe(newest), 0, "segment " + oldest[0] + " is said to be needed");
        }
        return oldest[0];
    }

    private void checkNoneMissing(List<Long> present, long newest) throws CorruptLogException {
        for (long sequence = oldestNeeded; sequence <= newest; sequence++) {
            if (!present.contains(sequence)) {
                throw new CorruptLogException(
                        files.describe(sequence), 0, "this segment is missing, later ones are present");
            }
        }
    }

    private Tail replay(long sequence, long newest, long expectedRecord, @Nullable Tail previous) throws IOException {
        try (DiskFile file = files.open(sequence)) {
            SegmentHeader header = files.readHeader(file, sequence);
            if (previous != null) {
                checkJoins(sequence, header, expectedRecord, previous, file.sizeBytes());
            }
            SegmentScanner.End end = scanner(file, sequence).scan(header.firstRecord(), (offset, payload) -> {
                replayBatch(sequence, offset, payload);
            });
            boolean mayBeTorn = sequence >= newest - 1;
            if (end.torn() != null && !mayBeTorn) {
                throw new CorruptLogException(
                        files.describe(sequence), end.endOffset(), end.torn() + ", and later segments follow");
            }
            if (sequence == newest && end.sealed()) {
                throw new CorruptLogException(
                        files.describe(sequence + 1), 0, "this segment is missing, the one before it is sealed");
            }
            segments.add(new Segment(sequence, end.endOffset()));
            return new Tail(sequence, end);
        }
    }

    /** A segment goes on where the one before it ended, which was sealed before this one got its first record. */
    private void checkJoins(long sequence, SegmentHeader header, long expectedRecord, Tail previous, long sizeBytes)
            throws CorruptLogException {
        SegmentScanner.End end = previous.end();
        boolean empty = sizeBytes == LogFormat.SEGMENT_HEADER_BYTES;
        if (!empty && (!end.sealed() || end.torn() != null)) {
            String problem = end.torn() == null ? "the segment has no seal" : end.torn();
            throw new CorruptLogException(
                    files.describe(previous.sequence()), end.endOffset(), problem + ", and later records follow");
        }
        if (header.firstRecord() != expectedRecord) {
            throw new CorruptLogException(
                    files.describe(sequence),
                    24,
                    "begins with record " + header.firstRecord() + " where record " + expectedRecord
                            + " is expected: records before it are missing");
        }
    }

    /** The seal of this segment takes the next sequence number. */
    private static boolean isUnsealed(Tail tail, long newest) {
        return tail.sequence() != newest && !tail.end().sealed();
    }

    private void replayBatch(long segment, long offset, ByteBuffer payload) throws CorruptLogException {
        try {
            payload.getLong();
            while (payload.hasRemaining()) {
                CellRecord record = CellRecord.decode(payload);
                replays.computeIfAbsent(record.cell(), cell -> new CellReplay()).apply(record, segment);
            }
        } catch (IllegalArgumentException senseless) {
            throw new CorruptLogException(files.describe(segment), offset, String.valueOf(senseless.getMessage()));
        }
    }

    private Map<CellId, RecoveredLog> finishReplays(long newest) throws CorruptLogException {
        Map<CellId, RecoveredLog> recovered = new TreeMap<>();
        for (Map.Entry<CellId, CellReplay> replay : replays.entrySet()) {
            try {
                recovered.put(replay.getKey(), replay.getValue().finish(replay.getKey()));
            } catch (IllegalArgumentException hole) {
                throw new CorruptLogException(files.describe(newest), 0, String.valueOf(hole.getMessage()));
            }
        }
        return recovered;
    }

    /**
     * Also makes durable what was read: after a mere kill of the process it may have come from the page cache, and from
     * here on it counts as acknowledged.
     */
    private DiskFile repair(List<Long> present, @Nullable Tail beforeNewest, Tail newest) throws IOException {
        cuts.addAll(files.removeUnfinished());
        for (long sequence : present) {
            if (sequence < oldestNeeded) {
                files.delete(sequence);
            }
        }
        if (beforeNewest != null
                && (!beforeNewest.end().sealed() || beforeNewest.end().torn() != null)) {
            try (DiskFile file = files.open(beforeNewest.sequence())) {
                cutTail(file, beforeNewest);
                if (!beforeNewest.end().sealed()) {
                    seal(file, beforeNewest);
                }
                file.sync();
            }
        }
        DiskFile current = files.open(newest.sequence());
        cutTail(current, newest);
        current.sync();
        files.syncDirectory();
        return current;
    }

    private void seal(DiskFile file, Tail tail) throws IOException {
        long offset = tail.end().endOffset();
        ByteBuffer seal = SealRecord.encode(tail.end().nextRecord(), files.salt(tail.sequence()), offset);
        Segment empty = segments.removeLast();
        segments.removeLast();
        segments.add(new Segment(tail.sequence(), offset + seal.remaining()));
        segments.add(empty);
        file.append(seal);
    }

    private void cutTail(DiskFile file, Tail tail) throws IOException {
        String torn = tail.end().torn();
        if (torn != null) {
            long offset = tail.end().endOffset();
            cuts.add(new RecoveryReport.Cut(files.describe(tail.sequence()), offset, file.sizeBytes() - offset, torn));
            file.truncate(offset);
            // Durable before anything is appended: a second crash must not mix the old tail with the new one.
            file.sync();
        }
    }

    private SegmentScanner scanner(DiskFile file, long sequence) throws IOException {
        return new SegmentScanner(file, files.describe(sequence), files.salt(sequence), config.maxRecordBytes());
    }

    private static Tail requireTail(@Nullable Tail tail) {
        if (tail == null) {
            throw new IllegalStateException("no segment was read");
        }
        return tail;
    }
}
