package io.holdfast.replica;

import io.holdfast.cell.CellEvent;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.storage.CellId;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long each acquire takes, from the arrival of its request to the moment when its place is held.
 *
 * <p>Known only of places that were asked for under this lead; others are not measured. A request that is repeated for a
 * place which is held already counts again.
 *
 * <p><b>Thread:</b> the loop. <b>Bounds:</b> one entry for each place in the state that waits.
 */
final class LockWaits {
    private final CellId cell;
    private final ReplicaMeter meter;
    /** When the requests for the places that wait arrived. */
    private final Map<NodePath, Long> arrivedNanos = new TreeMap<>();

    LockWaits(CellId cell, ReplicaMeter meter) {
        this.cell = cell;
        this.meter = meter;
    }

    /** Events of an entry; before {@link #answered} of its outcomes. */
    void applied(CellEvent event, long nowNanos) {
        if (arrivedNanos.isEmpty()) {
            return;
        }
        if (event instanceof CellEvent.Granted granted) {
            Long arrived = arrivedNanos.remove(granted.place());
            if (arrived != null) {
                meter.lockAcquired(cell, nowNanos - arrived);
            }
        } else if (event instanceof CellEvent.NodeChanged changed && changed.deleted()) {
            arrivedNanos.remove(changed.path());
        }
    }

    /** An outcome as it is answered: whether the place is held, and still there, was judged just now (R2.7). */
    void answered(Outcome outcome, long arrived, long nowNanos) {
        if (outcome instanceof Outcome.Placed placed) {
            if (placed.held()) {
                meter.lockAcquired(cell, nowNanos - arrived);
            } else if (placed.present()) {
                arrivedNanos.putIfAbsent(placed.place(), arrived);
            }
        }
    }

    /** Places whose wait is being measured. */
    int size() {
        return arrivedNanos.size();
    }
}
