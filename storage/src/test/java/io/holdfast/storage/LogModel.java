package io.holdfast.storage;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the log of each cell must be: obviously right, slow, without a disk. */
final class LogModel {
    final TreeMap<CellId, RecoveredLog> cells = new TreeMap<>();

    LogModel copy() {
        LogModel copy = new LogModel();
        copy.cells.putAll(cells);
        return copy;
    }

    RecoveredLog cell(CellId cell) {
        return cells.getOrDefault(cell, new RecoveredLog(HardState.INITIAL, 0, 0, List.of()));
    }

    void persist(CellId cell, RaftOutput.Persist request) {
        RecoveredLog before = cell(cell);
        HardState hardState = request.hardState() == null ? before.hardState() : request.hardState();
        long baseIndex = before.baseIndex();
        long baseTerm = before.baseTerm();
        List<LogEntry> entries = new ArrayList<>(before.entries());
        if (request.base() != null) {
            baseIndex = request.base().index();
            baseTerm = request.base().term();
            if (request.base().discardTail()) {
                entries.clear();
            }
            long base = baseIndex;
            entries.removeIf(entry -> entry.index() <= base);
        }
        if (!request.entries().isEmpty()) {
            long first = request.entries().get(0).index();
            entries.removeIf(entry -> entry.index() >= first);
            entries.addAll(request.entries());
        }
        cells.put(cell, new RecoveredLog(hardState, baseIndex, baseTerm, entries));
    }

    @Override
    public String toString() {
        return describe(cells);
    }

    static String describe(Map<CellId, RecoveredLog> cells) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(cells).forEach((cell, log) -> {
            text.append(cell)
                    .append(' ')
                    .append(log.hardState())
                    .append(" base ")
                    .append(log.baseIndex());
            text.append('@').append(log.baseTerm()).append(':');
            for (LogEntry entry : log.entries()) {
                text.append(' ')
                        .append(entry.index())
                        .append('@')
                        .append(entry.term())
                        .append(entry.type());
                text.append(new String(entry.data(), StandardCharsets.ISO_8859_1).hashCode());
            }
            text.append('\n');
        });
        return text.toString();
    }
}
