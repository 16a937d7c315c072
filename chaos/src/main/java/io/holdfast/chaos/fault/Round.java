package io.holdfast.chaos.fault;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The faults that ran at one time, from the first one's begin until the cell was seen to serve after all were taken back.
 *
 * @param kinds in the order in which they began
 * @param beginNanos when each of them began
 * @param servedNanos when the cell had served after them, or had had its time for that
 * @param impaired replicas that the cell may have to do without because of them
 * @param absent replicas that the cell had to do without before they began: still starting after the last round
 * @param syncDelayMillis how much longer the syncs of all replicas took
 */
public record Round(
        List<FaultKind> kinds,
        List<Long> beginNanos,
        long servedNanos,
        Set<String> impaired,
        Set<String> absent,
        long syncDelayMillis) {
    public Round {
        kinds = List.copyOf(kinds);
        beginNanos = List.copyOf(beginNanos);
        impaired = Set.copyOf(impaired);
        absent = Set.copyOf(absent);
    }

    /** Whether the faults alone leave a majority that can work, of so many replicas. */
    public boolean sparesMajority(int replicas) {
        return impaired.size() <= spare(replicas);
    }

    /** Whether there is a majority that can work all the time, of so many replicas. */
    public boolean mustServe(int replicas) {
        Set<String> without = new HashSet<>(impaired);
        without.addAll(absent);
        return without.size() <= spare(replicas);
    }

    private static int spare(int replicas) {
        return (replicas - 1) / 2;
    }
}
