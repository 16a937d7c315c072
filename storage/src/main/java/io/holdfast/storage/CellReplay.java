package io.holdfast.storage;

import io.holdfast.raft.LogEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Rebuilds one cell's log from its records, oldest first.
 *
 * <p>The oldest records may be gone with their segments. Then the entries begin above the base for a while, until a later
 * record moves the base up to them; at the end they must join it.
 */
final class CellReplay {
    private final CellTrack track = new CellTrack();
    private final ArrayList<LogEntry> entries = new ArrayList<>();

    CellTrack track() {
        return track;
    }

    /**
     * @throws IllegalArgumentException if the record does not continue the ones before it
     */
    void apply(CellRecord record, long segment) {
        if (record.reset()) {
            entries.clear();
        }
        if (record.baseIndex() < track.baseIndex()) {
            throw new IllegalArgumentException("the base of cell " + record.cell() + " goes back from "
                    + track.baseIndex() + " to " + record.baseIndex());
        }
        if (!entries.isEmpty()) {
            long dead = record.baseIndex() - entries.get(0).index() + 1;
            entries.subList(0, (int) Math.max(0, Math.min(dead, entries.size())))
                    .clear();
        }
        append(record);
        track.apply(record, segment);
    }

    private void append(CellRecord record) {
        List<LogEntry> more = record.entries();
        if (more.isEmpty()) {
            return;
        }
        long first = more.get(0).index();
        if (first <= record.baseIndex()) {
            throw new IllegalArgumentException(
                    "entry " + first + " of cell " + record.cell() + " is below its base " + record.baseIndex());
        }
        if (!entries.isEmpty()) {
            long kept = first - entries.get(0).index();
            if (kept > entries.size()) {
                throw new IllegalArgumentException("entries of cell " + record.cell() + " are missing before " + first);
            }
            entries.subList((int) Math.max(0, kept), entries.size()).clear();
        }
        entries.addAll(more);
    }

    /**
     * @throws IllegalArgumentException if entries between the base and the first record are missing
     */
    RecoveredLog finish(CellId cell) {
        if (!entries.isEmpty() && entries.get(0).index() != track.baseIndex() + 1) {
            throw new IllegalArgumentException("entries " + (track.baseIndex() + 1) + " to "
                    + (entries.get(0).index() - 1) + " of cell " + cell + " are missing");
        }
        return new RecoveredLog(track.hardState(), track.baseIndex(), track.baseTerm(), List.copyOf(entries));
    }
}
