package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Once a second has {@link LeadSpread} look at who leads what, and hands over what it says. The lead of the first cell counts
 * and stays.
 *
 * <p><b>Thread:</b> the loop.
 */
final class LeadBalance {
    private static final long LOOK_NANOS = 1_000_000_000L;
    /** Who was not heard for so long is not there; leaders hear every voter many times in it. */
    private static final long PRESENT_NANOS = 3_000_000_000L;

    private final LoopShared shared;
    private final CellId first;
    private final LeadSpread spread;
    private long nextLookNanos = Long.MIN_VALUE;

    LeadBalance(LoopShared shared, CellId first) {
        this.shared = shared;
        this.first = first;
        this.spread = new LeadSpread(shared.settings().self());
    }

    long nextDeadlineNanos() {
        return shared.shards() == 0 ? Long.MAX_VALUE : nextLookNanos;
    }

    void tick(Collection<CellDriver> drivers) {
        if (shared.shards() == 0 || shared.now() < nextLookNanos) {
            return;
        }
        // on a grid, so that it falls into the turn of a heartbeat
        nextLookNanos = (Math.floorDiv(shared.now(), LOOK_NANOS) + 1) * LOOK_NANOS;
        SortedSet<ReplicaId> there = shared.contacts().takers(shared.now(), PRESENT_NANOS);
        if (!shared.refusesLeads()) {
            there.add(shared.settings().self());
        }
        List<LeadSpread.Cell> cells = new ArrayList<>(drivers.size());
        drivers.forEach(driver -> cells.add(seen(driver)));
        LeadSpread.Move move = spread.next(cells, there, shared.now());
        if (move != null) {
            for (CellDriver driver : drivers) {
                if (driver.id().equals(move.cell())) {
                    driver.transferLeadership(move.to().name());
                }
            }
        }
    }

    private LeadSpread.Cell seen(CellDriver driver) {
        boolean movable = driver.isServing() && !driver.id().equals(first);
        SortedSet<ReplicaId> takers = movable ? driver.core().votersCaughtUp() : new TreeSet<>();
        return new LeadSpread.Cell(driver.id(), driver.role().leader(), movable, takers);
    }
}
