package io.holdfast.storage;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Where in the log one cell's live data is: its newest record, which has term, vote and base, and its entries above the
 * base. Everything else of the cell may be deleted.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>The runs are contiguous in index, begin above the base, and their segments do not fall.
 *   <li>{@code lastIndex} is the end of the last run, or the base if there is none.
 * </ol>
 */
final class CellTrack {
    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private HardState hardState = HardState.INITIAL;
    private long baseIndex;
    private long baseTerm;
    private long lastIndex;
    private long newestRecordSegment;
    private long liveBytes;

    /** Entries with adjacent indexes in one segment. */
    private static final class Run {
        final long segment;
        long first;
        long last;
        long bytes;

        Run(long segment, long first, long last, long bytes) {
            this.segment = segment;
            this.first = first;
            this.last = last;
            this.bytes = bytes;
        }

        /** Narrows the run, taking its bytes as evenly spread, and returns how many bytes fell away. */
        long keep(long newFirst, long newLast) {
            long before = bytes;
            bytes = Math.round((double) before * (newLast - newFirst + 1) / (last - first + 1));
            first = newFirst;
            last = newLast;
            return before - bytes;
        }
    }

    HardState hardState() {
        return hardState;
    }

    long baseIndex() {
        return baseIndex;
    }

    long baseTerm() {
        return baseTerm;
    }

    long lastIndex() {
        return lastIndex;
    }

    /** Bytes of entries above the base, roughly. */
    long liveBytes() {
        return liveBytes;
    }

    /** The oldest segment that holds something alive of this cell. */
    long oldestSegment() {
        Run oldest = runs.peekFirst();
        return oldest == null ? newestRecordSegment : Math.min(oldest.segment, newestRecordSegment);
    }

    /** Takes in a record that stands in {@code segment}. */
    void apply(CellRecord record, long segment) {
        newestRecordSegment = segment;
        hardState = record.hardState();
        if (record.reset()) {
            runs.clear();
            liveBytes = 0;
            lastIndex = record.baseIndex();
        }
        baseIndex = record.baseIndex();
        baseTerm = record.baseTerm();
        dropUpTo(baseIndex);
        append(record.entries(), segment);
    }

    private void dropUpTo(long index) {
        Run oldest;
        while ((oldest = runs.peekFirst()) != null && oldest.first <= index) {
            if (oldest.last <= index) {
                liveBytes -= oldest.bytes;
                runs.removeFirst();
            } else {
                liveBytes -= oldest.keep(index + 1, oldest.last);
            }
        }
        lastIndex = Math.max(lastIndex, index);
    }

    private void append(List<LogEntry> entries, long segment) {
        if (entries.isEmpty()) {
            return;
        }
        long first = entries.get(0).index();
        Run newest;
        while ((newest = runs.peekLast()) != null && newest.last >= first) {
            if (newest.first >= first) {
                liveBytes -= newest.bytes;
                runs.removeLast();
            } else {
                liveBytes -= newest.keep(newest.first, first - 1);
            }
        }
        lastIndex = entries.get(entries.size() - 1).index();
        long bytes = 0;
        for (LogEntry entry : entries) {
            bytes += CellRecord.sizeBytes(entry);
        }
        liveBytes += bytes;
        if (newest != null && newest.segment == segment) {
            newest.last = lastIndex;
            newest.bytes += bytes;
        } else {
            runs.addLast(new Run(segment, first, lastIndex, bytes));
        }
    }
}
