package io.holdfast.storage;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * What was found on disk, until the cell's first append changes it. From then on asking for it is our bug and fails: an
 * answer, even "nothing", would be taken for the cell's term and vote.
 *
 * <p><b>Thread:</b> any.
 */
final class RecoveredLogs extends AbstractMap<CellId, RecoveredLog> {
    private final ConcurrentSkipListMap<CellId, RecoveredLog> logs;
    private final Set<CellId> released = ConcurrentHashMap.newKeySet();

    RecoveredLogs(Map<CellId, RecoveredLog> found) {
        this.logs = new ConcurrentSkipListMap<>(found);
    }

    /** Lets a cell's entries go. */
    void release(CellId cell) {
        if (released.add(cell)) {
            logs.remove(cell);
        }
    }

    void movedUp(CellId cell, RecoveredLog log) {
        logs.put(cell, log);
    }

    @Override
    public @Nullable RecoveredLog get(@Nullable Object cell) {
        requireUnchanged(cell);
        return cell instanceof CellId id ? logs.get(id) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object cell) {
        requireUnchanged(cell);
        return cell instanceof CellId id && logs.containsKey(id);
    }

    /** Those of cells that have not appended yet. */
    @Override
    public Set<Map.Entry<CellId, RecoveredLog>> entrySet() {
        return Collections.unmodifiableMap(logs).entrySet();
    }

    private void requireUnchanged(@Nullable Object cell) {
        if (cell instanceof CellId id && released.contains(id)) {
            throw new IllegalStateException("the log of cell " + id + " has changed since it was recovered");
        }
    }
}
