package io.holdfast.replica;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.RaftOutput.Persist;
import io.holdfast.storage.CellId;
import io.holdfast.storage.LogStore;
import io.holdfast.storage.RecoveredLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A log in memory that becomes durable when told; what was not is lost in a crash. */
final class ManualLog implements LogStore {
    private record Request(CellId cell, Persist persist, RecoveredLog rewrite, Runnable done) {}

    private final Map<CellId, RecoveredLog> durable = new TreeMap<>();
    private final ArrayDeque<Request> queue = new ArrayDeque<>();
    final Set<CellId> pinning = new TreeSet<>();
    /** While true nothing becomes durable. */
    boolean held;

    int entriesPersisted;
    int rewrites;

    @Override
    public Map<CellId, RecoveredLog> recovered() {
        return durable;
    }

    @Override
    public void persist(CellId cell, RaftOutput.Persist request, Runnable done) {
        queue.add(new Request(cell, request, null, done));
    }

    @Override
    public void rewrite(CellId cell, RecoveredLog contents, Runnable done) {
        queue.add(new Request(cell, null, contents, done));
    }

    /** Makes everything durable that waits; false if there was nothing or it is held. */
    boolean sync() {
        if (held || queue.isEmpty()) {
            return false;
        }
        List<Request> batch = new ArrayList<>(queue);
        queue.clear();
        for (Request request : batch) {
            if (request.rewrite() != null) {
                rewrites++;
                pinning.remove(request.cell());
                durable.put(request.cell(), request.rewrite());
            } else {
                entriesPersisted += request.persist().entries().size();
                durable.merge(request.cell(), EMPTY, (log, any) -> log);
                durable.put(request.cell(), with(durable.get(request.cell()), request.persist()));
            }
        }
        batch.forEach(request -> request.done().run());
        return true;
    }

    private static final RecoveredLog EMPTY = new RecoveredLog(HardState.INITIAL, 0, 0, List.of());

    private static RecoveredLog with(RecoveredLog log, Persist persist) {
        HardState hard = persist.hardState() == null ? log.hardState() : persist.hardState();
        long baseIndex = log.baseIndex();
        long baseTerm = log.baseTerm();
        List<LogEntry> entries = new ArrayList<>(log.entries());
        RaftOutput.LogBase base = persist.base();
        if (base != null) {
            baseIndex = base.index();
            baseTerm = base.term();
            long first = baseIndex + 1;
            entries.removeIf(entry -> base.discardTail() || entry.index() < first);
        }
        if (!persist.entries().isEmpty()) {
            long from = persist.entries().get(0).index();
            entries.removeIf(entry -> entry.index() >= from);
            entries.addAll(persist.entries());
        }
        return new RecoveredLog(hard, baseIndex, baseTerm, List.copyOf(entries));
    }

    void crash() {
        queue.clear();
    }

    @Override
    public Set<CellId> pinning() {
        return Set.copyOf(pinning);
    }

    @Override
    public long sizeBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
