package io.holdfast.raft;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The entries of the log that are in memory: everything after the base, which a snapshot covers.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) entries are contiguous from {@code baseIndex + 1}; (2) terms never
 * fall from one entry to the next; a violation stops the replica instead of leaving a hole (scenario C10).
 *
 * <p><b>Source:</b> thesis §3.5 (log matching), §5 (compaction).
 */
final class RaftLog {
    /** Entries after the base, oldest first. */
    private final ArrayList<LogEntry> entries = new ArrayList<>();

    private long baseIndex;
    private long baseTerm;
    private long sizeBytes;

    RaftLog(long baseIndex, long baseTerm) {
        this.baseIndex = baseIndex;
        this.baseTerm = baseTerm;
    }

    long baseIndex() {
        return baseIndex;
    }

    long baseTerm() {
        return baseTerm;
    }

    long firstIndex() {
        return baseIndex + 1;
    }

    long lastIndex() {
        return baseIndex + entries.size();
    }

    long lastTerm() {
        return entries.isEmpty() ? baseTerm : entries.get(entries.size() - 1).term();
    }

    /** What all entries together are charged, in bytes. */
    long sizeBytes() {
        return sizeBytes;
    }

    /** Whether {@link #termAt} can be asked for {@code index}. */
    boolean knowsTermAt(long index) {
        return index >= baseIndex && index <= lastIndex();
    }

    /** Term of the entry at {@code index}, which is the base or an entry in memory. */
    long termAt(long index) {
        return index == baseIndex ? baseTerm : entryAt(index).term();
    }

    LogEntry entryAt(long index) {
        Invariants.check(
                index > baseIndex && index <= lastIndex(), "no entry %d in a log up to %d", index, lastIndex());
        return entries.get((int) (index - baseIndex - 1));
    }

    /** Whether there is an entry (or the base) with this index and term. */
    boolean matches(long index, long term) {
        return knowsTermAt(index) && termAt(index) == term;
    }

    /** Whether a log that ends in this index and term has all that this one has (thesis §3.6.1). */
    boolean isUpToDate(long otherLastIndex, long otherLastTerm) {
        return otherLastTerm > lastTerm() || (otherLastTerm == lastTerm() && otherLastIndex >= lastIndex());
    }

    /** Like {@link #isUpToDate} for a log that also has something that this one lacks. */
    boolean isNewer(long otherLastIndex, long otherLastTerm) {
        return isUpToDate(otherLastIndex, otherLastTerm)
                && (otherLastIndex != lastIndex() || otherLastTerm != lastTerm());
    }

    void append(LogEntry entry) {
        Invariants.check(entry.index() == lastIndex() + 1, "entry %d after %d: a hole", entry.index(), lastIndex());
        Invariants.check(entry.term() >= lastTerm(), "entry of term %d after term %d", entry.term(), lastTerm());
        entries.add(entry);
        sizeBytes += entry.sizeBytes();
    }

    /** Drops the entries at and after {@code fromIndex}. */
    void truncateFrom(long fromIndex) {
        Invariants.check(fromIndex > baseIndex, "cutting at %d, at or below the base %d", fromIndex, baseIndex);
        while (lastIndex() >= fromIndex) {
            sizeBytes -= entries.remove(entries.size() - 1).sizeBytes();
        }
    }

    /** Drops the entries up to and including {@code index}, which becomes the base. */
    void compactTo(long index) {
        long term = termAt(index);
        List<LogEntry> dropped = entries.subList(0, (int) (index - baseIndex));
        for (LogEntry entry : dropped) {
            sizeBytes -= entry.sizeBytes();
        }
        dropped.clear();
        baseIndex = index;
        baseTerm = term;
    }

    /** Drops everything; the log goes on after a snapshot that ends in this index and term. */
    void resetTo(long index, long term) {
        entries.clear();
        sizeBytes = 0;
        baseIndex = index;
        baseTerm = term;
    }

    /** Entries {@code fromIndex..toIndexInclusive}; the list is the caller's. */
    List<LogEntry> slice(long fromIndex, long toIndexInclusive) {
        if (fromIndex > toIndexInclusive) {
            return List.of();
        }
        entryAt(fromIndex);
        entryAt(toIndexInclusive);
        return Collections.unmodifiableList(new ArrayList<>(
                entries.subList((int) (fromIndex - baseIndex - 1), (int) (toIndexInclusive - baseIndex))));
    }

    /** Entries from {@code fromIndex} on that fit into {@code maxBytes}, but at least one if there is one. */
    List<LogEntry> batch(long fromIndex, int maxBytes) {
        long to = fromIndex;
        long bytes = 0;
        while (to <= lastIndex()) {
            bytes += entryAt(to).sizeBytes();
            if (bytes > maxBytes && to > fromIndex) {
                break;
            }
            to++;
        }
        return slice(fromIndex, to - 1);
    }

    /**
     * The highest index at or below {@code index} whose term is at most {@code term}; skips whole terms that cannot
     * match (thesis §3.5, end). Ends at the base, or at once if {@code index} is outside the log.
     */
    long highestIndexOfTermAtMost(long index, long term) {
        long at = index;
        while (at > baseIndex && at <= lastIndex() && termAt(at) > term) {
            at--;
        }
        return at;
    }
}
