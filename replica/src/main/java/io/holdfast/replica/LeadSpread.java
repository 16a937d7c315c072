package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which lead of this replica is to be handed to whom, so that each replica that is there leads about equally many
 * cells. Every replica decides for its own leads, from what it sees; nothing is agreed.
 *
 * <p><b>Thread:</b> one at a time; reads no clock.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>A lead goes only from a replica with more to one with at least two fewer, so each hand-over makes the spread more even,
 *       and an even spread (counts that differ by at most one) is left alone.
 *   <li>It goes only to a voter that is there, wants leads, and has nearly all of the cell's log: no cell waits for it.
 *   <li>Nothing moves for {@link #SETTLE_NANOS} after replicas came or went or a leader was lost, nor a cell that has been led here
 *       for less than {@link #SETTLE_NANOS}; at most one lead moves in {@link #PAUSE_NANOS}.
 *   <li>No ping-pong: a cell whose leader changed {@link #RESTLESS} times in {@link #MEMORY_NANOS} stays where it is, and a replica
 *       that did not take a lead is not asked again for {@link #SHUN_NANOS}.
 * </ol>
 *
 * <p>With counts that differ by at most one over all cells, no replica leads more than ⌈cells / replicas there⌉.
 *
 * <p><b>Source:</b> ADR 0015.
 */
final class LeadSpread {
    private static final long SECOND = 1_000_000_000L;

    static final long SETTLE_NANOS = 5 * SECOND;
    static final long PAUSE_NANOS = SECOND;
    static final long SHUN_NANOS = 30 * SECOND;
    static final long MEMORY_NANOS = 30 * SECOND;
    static final int RESTLESS = 5;

    /** One that others lead as many as waits so long for those before it to move theirs. */
    private static final long TURN_NANOS = 8 * SECOND;

    /** So many fewer leads a taker must have. */
    private static final int WORTH_IT = 2;

    /**
     * A cell as this replica sees it.
     *
     * @param leader null if none is known
     * @param movable whether its lead may be handed on, if it is here
     * @param takers voters that could take it at once; looked at only if the lead is here
     */
    record Cell(CellId id, @Nullable ReplicaId leader, boolean movable, SortedSet<ReplicaId> takers) {}

    /** Hand the lead of this cell to that replica. */
    record Move(CellId cell, ReplicaId to) {}

    private static final class Memory {
        /** The last one that was known. */
        @Nullable
        ReplicaId leader;

        boolean isLed;
        long sinceNanos;
        final ArrayDeque<Long> changes = new ArrayDeque<>();
    }

    private final ReplicaId self;
    private final Map<CellId, Memory> cells = new TreeMap<>();
    private final Map<ReplicaId, Long> shunnedUntil = new TreeMap<>();
    private SortedSet<ReplicaId> present = new TreeSet<>();
    private long settledNanos = Long.MIN_VALUE;
    private long nextMoveNanos = Long.MIN_VALUE;
    /** Since when the spread is uneven and this replica could help; far away if it is not. */
    private long unevenSinceNanos = Long.MAX_VALUE;

    private @Nullable Move last;

    LeadSpread(ReplicaId self) {
        this.self = self;
    }

    /**
     * What to do now, or null. Call it about once a second.
     *
     * @param seen all cells of the process
     * @param there the replicas that are there and take leads, this one included if it does
     */
    @Nullable
    Move next(Collection<Cell> seen, SortedSet<ReplicaId> there, long nowNanos) {
        observe(seen, there, nowNanos);
        judgeLast(nowNanos);
        if (nowNanos < settledNanos || nowNanos < nextMoveNanos || !there.contains(self)) {
            unevenSinceNanos = Long.MAX_VALUE;
            return null;
        }
        SortedMap<ReplicaId, Integer> leads = count(seen, there);
        Move move = find(seen, leads, nowNanos);
        if (move == null) {
            unevenSinceNanos = Long.MAX_VALUE;
            return null;
        }
        unevenSinceNanos = Math.min(unevenSinceNanos, nowNanos);
        if (!isFirstToMove(leads) && nowNanos - unevenSinceNanos < TURN_NANOS) {
            return null;
        }
        last = move;
        nextMoveNanos = nowNanos + PAUSE_NANOS;
        return move;
    }

    private void observe(Collection<Cell> seen, SortedSet<ReplicaId> there, long nowNanos) {
        if (!there.equals(present)) {
            present = new TreeSet<>(there);
            settledNanos = nowNanos + SETTLE_NANOS;
        }
        for (Cell cell : seen) {
            Memory memory = cells.computeIfAbsent(cell.id(), id -> new Memory());
            if (cell.leader() == null) {
                settledNanos = Math.max(settledNanos, nowNanos + (memory.isLed ? SETTLE_NANOS : 0));
            } else if (!memory.isLed || !cell.leader().equals(memory.leader)) {
                memory.changes.add(nowNanos);
                memory.leader = cell.leader();
                memory.sinceNanos = nowNanos;
            }
            memory.isLed = cell.leader() != null;
            while (!memory.changes.isEmpty() && nowNanos - memory.changes.peekFirst() > MEMORY_NANOS) {
                memory.changes.removeFirst();
            }
        }
    }

    /** What was handed over and is still here was not taken. */
    private void judgeLast(long nowNanos) {
        Move move = last;
        if (move == null || nowNanos < nextMoveNanos) {
            return;
        }
        Memory memory = cells.get(move.cell());
        if (memory != null && memory.isLed && self.equals(memory.leader)) {
            shunnedUntil.put(move.to(), nowNanos + SHUN_NANOS);
        }
        last = null;
    }

    private static SortedMap<ReplicaId, Integer> count(Collection<Cell> seen, SortedSet<ReplicaId> there) {
        SortedMap<ReplicaId, Integer> leads = new TreeMap<>();
        there.forEach(replica -> leads.put(replica, 0));
        for (Cell cell : seen) {
            ReplicaId leader = cell.leader();
            if (leader != null) {
                leads.computeIfPresent(leader, (replica, count) -> count + 1);
            }
        }
        return leads;
    }

    private @Nullable Move find(Collection<Cell> seen, SortedMap<ReplicaId, Integer> leads, long nowNanos) {
        int own = leads.getOrDefault(self, 0);
        Move best = null;
        int fewest = own - WORTH_IT + 1;
        for (Cell cell : seen) {
            if (!mayMove(cell, nowNanos)) {
                continue;
            }
            for (ReplicaId taker : cell.takers()) {
                int count = leads.getOrDefault(taker, Integer.MAX_VALUE);
                if (count < fewest && shunnedUntil.getOrDefault(taker, Long.MIN_VALUE) <= nowNanos) {
                    fewest = count;
                    best = new Move(cell.id(), taker);
                }
            }
        }
        return best;
    }

    private boolean mayMove(Cell cell, long nowNanos) {
        Memory memory = cells.get(cell.id());
        return cell.movable()
                && self.equals(cell.leader())
                && memory != null
                && nowNanos - memory.sinceNanos >= SETTLE_NANOS
                && memory.changes.size() < RESTLESS;
    }

    /** Of those with most leads the first by name: were all to move at once, the spread would swing to the other side. */
    private boolean isFirstToMove(SortedMap<ReplicaId, Integer> leads) {
        int most = leads.values().stream().max(Integer::compare).orElse(0);
        List<ReplicaId> busiest = leads.entrySet().stream()
                .filter(entry -> entry.getValue() == most)
                .map(Map.Entry::getKey)
                .toList();
        return !busiest.isEmpty() && busiest.get(0).equals(self);
    }
}
