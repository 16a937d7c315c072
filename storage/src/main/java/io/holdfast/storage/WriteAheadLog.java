package io.holdfast.storage;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import io.holdfast.storage.LogFormat.SegmentHeader;
import io.holdfast.storage.LogRecovery.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The log of all cells of a process: {@link #append} collects, {@link #sync} makes everything collected durable with one
 * write and one fsync.
 *
 * <p><b>Thread:</b> one at a time; {@link #recovered()} may be read from any. No clock, no thread, nothing but the
 * {@link Disk}: the simulation runs this class.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>What one {@code sync} writes is one record: after a crash all of it is there or nothing.
 *   <li>A record is written only when everything before it is durable.
 *   <li>A segment is deleted only when a durable record says that it is not needed.
 *   <li>After any failure but a full disk nothing is written any more: the state of the file is unknown (R8.3).
 * </ol>
 *
 * <p>The file is not extended ahead of its use. Linux file systems that allocate late (ext4, XFS) still reserve the room
 * for a write when it is made, so a full disk is met there and can be undone; where it is met by the fsync (copy on write,
 * network file systems) the process ends, as for any failed fsync.
 *
 * <p>A request's base is applied before its entries, whichever came first in the core.
 *
 * <p><b>Source:</b> R8.3, C67, C70; the bytes are described in {@link LogFormat}.
 */
public final class WriteAheadLog implements Closeable {
    private final SegmentFiles files;
    private final LogConfig config;
    private final Map<CellId, CellTrack> tracks;
    private final RecoveredLogs recovered;
    private final RecoveryReport report;
    /** Oldest first; the last one is open in {@code current} and its size is what is durable. */
    private final ArrayDeque<Segment> segments;

    private final RecordBuffer buffer;
    private DiskFile current;
    /** The segment after the current one while it is being changed to, or null. */
    private @Nullable DiskFile next;

    private long nextRecord;
    private long oldestNeeded;
    private @Nullable Exception failure;

    private WriteAheadLog(SegmentFiles files, LogConfig config, LogRecovery.Opened opened) {
        this.files = files;
        this.config = config;
        this.tracks = opened.tracks();
        this.recovered = new RecoveredLogs(opened.recovered());
        this.report = opened.report();
        this.segments = opened.segments();
        this.buffer = new RecordBuffer(config.maxRecordBytes());
        this.current = opened.current();
        this.nextRecord = opened.nextRecord();
        this.oldestNeeded = opened.oldestNeeded();
    }

    /**
     * Opens or makes a log, repairs what a crash left at its end and makes durable what it found. Blocks on the disk.
     *
     * @param directory below the data directory, for example {@code log}
     * @param identity the replica's incarnation: a log of another one is refused
     * @throws CorruptLogException if it is damaged in a way that no crash explains
     * @throws ForeignDataException if another replica wrote it
     */
    public static WriteAheadLog open(Disk disk, String directory, String identity, LogConfig config)
            throws IOException {
        SegmentFiles files = new SegmentFiles(disk, directory, identity);
        return new WriteAheadLog(files, config, new LogRecovery(files, config).open());
    }

    /** Whether a directory holds a log, whole or not. */
    public static boolean exists(Disk disk, String directory) throws IOException {
        return disk.list(directory).stream().anyMatch(name -> LogFormat.sequenceOf(name) >= 0);
    }

    /** What was found for each cell when the log was opened; let go with its first append, after which asking fails. */
    public Map<CellId, RecoveredLog> recovered() {
        return recovered;
    }

    /** What opening had to repair. */
    public RecoveryReport report() {
        return report;
    }

    /**
     * Collects a request. The base is applied before the entries; entries at or below the base are left out.
     *
     * @throws IllegalStateException if the request does not continue the cell's log: our bug
     */
    public void append(CellId cell, RaftOutput.Persist request) {
        CellTrack track = track(cell);
        HardState hardState = request.hardState() == null ? track.hardState() : request.hardState();
        RaftOutput.LogBase base = request.base();
        if (base == null) {
            base = new RaftOutput.LogBase(track.baseIndex(), track.baseTerm(), false);
        }
        boolean reset = base.discardTail() || base.index() > track.lastIndex();
        List<LogEntry> entries = above(base.index(), request.entries());
        add(track, new CellRecord(cell, reset, hardState, base.index(), base.term(), entries));
    }

    /**
     * Collects a record that replaces all earlier ones of a cell.
     *
     * @param contents must equal what the cell's appends so far amount to; its base may be higher
     */
    public void appendRewrite(CellId cell, RecoveredLog contents) {
        CellTrack track = track(cell);
        long last = contents.baseIndex() + contents.entries().size();
        Invariants.check(
                last == track.lastIndex() || contents.entries().isEmpty() && last > track.lastIndex(),
                "rewrite of cell %s ends at %d, its log at %d",
                cell,
                last,
                track.lastIndex());
        add(
                track,
                new CellRecord(
                        cell,
                        true,
                        contents.hardState(),
                        contents.baseIndex(),
                        contents.baseTerm(),
                        contents.entries()));
    }

    /**
     * Collects a record that lets a cell's log begin after a snapshot that reaches beyond it; part of opening, so that
     * {@link #recovered()} then says so too.
     */
    void moveUp(CellId cell, long snapshotIndex, long snapshotTerm) {
        requireUsable();
        CellTrack track = tracks.computeIfAbsent(cell, unseen -> new CellTrack());
        add(track, new CellRecord(cell, true, track.hardState(), snapshotIndex, snapshotTerm, List.of()));
        recovered.movedUp(cell, new RecoveredLog(track.hardState(), snapshotIndex, snapshotTerm, List.of()));
    }

    private CellTrack track(CellId cell) {
        requireUsable();
        recovered.release(cell);
        return tracks.computeIfAbsent(cell, unseen -> new CellTrack());
    }

    private void add(CellTrack track, CellRecord record) {
        Invariants.check(
                record.baseIndex() >= track.baseIndex(),
                "base of cell %s goes back from %d to %d",
                record.cell(),
                track.baseIndex(),
                record.baseIndex());
        long last = record.reset() ? record.baseIndex() : track.lastIndex();
        long expected = record.entries().isEmpty() ? 0 : record.entries().get(0).index();
        Invariants.check(
                expected <= last + 1,
                "entry %d of cell %s after entry %d leaves a hole",
                expected,
                record.cell(),
                last);
        for (LogEntry entry : record.entries()) {
            Invariants.check(
                    entry.index() == expected++,
                    "entries of cell %s are not contiguous at %d",
                    record.cell(),
                    entry.index());
        }
        record.encode(buffer);
        track.apply(record, batchSegment());
    }

    private static List<LogEntry> above(long baseIndex, List<LogEntry> entries) {
        if (entries.isEmpty() || entries.get(0).index() > baseIndex) {
            return entries;
        }
        return entries.stream().filter(entry -> entry.index() > baseIndex).toList();
    }

    /** Where the batch being collected will be written: a full segment gets no further one. */
    private long batchSegment() {
        Segment newest = segments.getLast();
        return newest.sizeBytes() >= config.segmentBytes() ? newest.sequence() + 1 : newest.sequence();
    }

    /**
     * Makes everything collected durable and deletes segments that are not needed any more. Blocks on the disk.
     *
     * @return bytes written, 0 if nothing was collected
     * @throws DiskFullException if there was no room: what was collected is kept, call again later
     * @throws IOException for any other failure: end the process, nothing more can be written
     */
    public long sync() throws IOException {
        requireUsable();
        if (buffer.isEmpty()) {
            return 0;
        }
        try {
            if (batchSegment() != segments.getLast().sequence()) {
                roll(batchSegment());
            }
            long needed = oldestSegmentNeeded();
            Segment newest = segments.getLast();
            long written = write(buffer.finish(needed, nextRecord, files.salt(newest.sequence()), newest.sizeBytes()));
            buffer.reset();
            oldestNeeded = needed;
            deleteUnneeded();
            return written;
        } catch (DiskFullException full) {
            throw full;
        } catch (IOException | RuntimeException fatal) {
            failure = fatal;
            throw fatal;
        }
    }

    /** Changes to a new segment: first the new one becomes durable, then the old one is sealed. */
    private void roll(long sequence) throws IOException {
        if (next == null) {
            next = files.create(new SegmentHeader(sequence, nextRecord + 1, oldestNeeded));
        }
        Segment old = segments.getLast();
        write(SealRecord.encode(nextRecord, files.salt(old.sequence()), old.sizeBytes()));
        current.close();
        current = next;
        next = null;
        segments.addLast(new Segment(sequence, LogFormat.SEGMENT_HEADER_BYTES));
    }

    private long write(ByteBuffer record) throws IOException {
        Segment newest = segments.getLast();
        int bytes = record.remaining();
        try {
            current.append(record);
        } catch (IOException noRoom) {
            if (!DiskFullException.isReasonOf(noRoom)) {
                throw noRoom;
            }
            current.truncate(newest.sizeBytes());
            current.sync();
            throw new DiskFullException(noRoom);
        }
        current.sync();
        nextRecord++;
        segments.removeLast();
        segments.addLast(new Segment(newest.sequence(), newest.sizeBytes() + bytes));
        return bytes;
    }

    private long oldestSegmentNeeded() {
        long oldest = segments.getLast().sequence();
        for (CellTrack track : tracks.values()) {
            oldest = Math.min(oldest, track.oldestSegment());
        }
        return Math.max(oldest, oldestNeeded);
    }

    private void deleteUnneeded() throws IOException {
        while (segments.getFirst().sequence() < oldestNeeded) {
            files.delete(segments.removeFirst().sequence());
        }
    }

    /**
     * The cells to rewrite so that old segments can go: once more than the configured amount on disk is dead, those whose
     * oldest live data lies in the older half of the log and is much less than what it pins.
     */
    public Set<CellId> pinning() {
        long totalBytes = sizeBytes();
        long liveBytes = 0;
        for (CellTrack track : tracks.values()) {
            liveBytes += track.liveBytes();
        }
        if (totalBytes - liveBytes <= config.pinnedBytes()) {
            return Set.of();
        }
        Set<CellId> pinning = new TreeSet<>();
        for (Map.Entry<CellId, CellTrack> cell : tracks.entrySet()) {
            CellTrack track = cell.getValue();
            long pinnedBytes = bytesFrom(track.oldestSegment());
            if (pinnedBytes > totalBytes / 2 && track.liveBytes() < pinnedBytes / 4) {
                pinning.add(cell.getKey());
            }
        }
        return Collections.unmodifiableSet(pinning);
    }

    private long bytesFrom(long sequence) {
        long bytes = 0;
        Iterator<Segment> newestFirst = segments.descendingIterator();
        while (newestFirst.hasNext()) {
            Segment segment = newestFirst.next();
            if (segment.sequence() < sequence) {
                break;
            }
            bytes += segment.sizeBytes();
        }
        return bytes;
    }

    /** Bytes of log on disk. */
    public long sizeBytes() {
        long bytes = 0;
        for (Segment segment : segments) {
            bytes += segment.sizeBytes();
        }
        return bytes;
    }

    private void requireUsable() {
        if (failure != null) {
            throw new IllegalStateException("the log failed earlier and must not be used any more", failure);
        }
    }

    /** Closes the files; what was collected but not synced is lost. */
    @Override
    public void close() throws IOException {
        failure = failure == null ? new IllegalStateException("closed") : failure;
        if (next != null) {
            next.close();
        }
        current.close();
    }
}
