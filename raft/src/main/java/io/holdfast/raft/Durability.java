package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.LogBase;
import io.holdfast.raft.RaftOutput.Persist;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What still has to become durable, and what is.
 *
 * <p>Changes are marked here as they happen, leave as one {@link Persist} per output, and count as durable only once the
 * driver says so.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) the log in memory up to {@link #durableIndex()} is on disk, byte for
 * byte; (2) sequences rise by one and are confirmed in order.
 */
final class Durability {
    private static final long NOTHING = Long.MAX_VALUE;

    /** A persist that the driver has and has not confirmed. */
    private static final class Pending {
        final long sequence;
        final long sinceNanos;
        /** Last index that is durable when this is confirmed; falls when the log is cut meanwhile. */
        long lastIndex;

        Pending(long sequence, long sinceNanos, long lastIndex) {
            this.sequence = sequence;
            this.sinceNanos = sinceNanos;
            this.lastIndex = lastIndex;
        }
    }

    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long lastSequence;
    private long confirmedSequence;
    private long durableIndex;
    /** First index that has not been handed out, or NOTHING. */
    private long dirtyFrom = NOTHING;

    private boolean hardStateDirty;
    /** The persist that carries the newest hard state, once handed out. */
    private long hardStateSequence;

    private @Nullable LogBase dirtyBase;

    Durability(long durableIndex) {
        this.durableIndex = durableIndex;
    }

    /** The log in memory is durable up to here. */
    long durableIndex() {
        return durableIndex;
    }

    long confirmedSequence() {
        return confirmedSequence;
    }

    void hardStateChanged() {
        hardStateDirty = true;
    }

    /** The sequence that has to be confirmed before term and vote may be shown to anyone (thesis figure 3.1). */
    long hardStateNeeds() {
        return hardStateDirty ? lastSequence + 1 : hardStateSequence;
    }

    boolean hardStateIsDurable() {
        return hardStateNeeds() <= confirmedSequence;
    }

    void appended(long index) {
        dirtyFrom = Math.min(dirtyFrom, index);
    }

    /** The log was cut at {@code fromIndex}: nothing at or after it counts as durable any more. */
    void truncatedFrom(long fromIndex) {
        durableIndex = Math.min(durableIndex, fromIndex - 1);
        for (Pending each : pending) {
            each.lastIndex = Math.min(each.lastIndex, fromIndex - 1);
        }
    }

    /** The log now begins after {@code index}; a durable snapshot covers what is before. */
    void compactedTo(long index, long term, boolean discardTail) {
        // If entries at or below the new base never went out, the log on disk must not be joined to what follows.
        boolean gap = dirtyFrom <= index;
        boolean discard = discardTail || gap || (dirtyBase != null && dirtyBase.discardTail());
        if (discardTail) {
            dirtyFrom = NOTHING;
            truncatedFrom(index + 1);
        } else if (gap) {
            dirtyFrom = index + 1;
        }
        dirtyBase = new LogBase(index, term, discard);
        durableIndex = Math.max(durableIndex, index);
    }

    boolean isDirty(RaftLog log) {
        return hardStateDirty || dirtyBase != null || dirtyFrom <= log.lastIndex();
    }

    /** Hands out everything marked since the last call, or null. */
    @Nullable
    Persist take(RaftLog log, HardState hardState, long nowNanos) {
        if (!isDirty(log)) {
            return null;
        }
        lastSequence++;
        List<LogEntry> entries = dirtyFrom <= log.lastIndex() ? log.slice(dirtyFrom, log.lastIndex()) : List.of();
        if (hardStateDirty) {
            hardStateSequence = lastSequence;
        }
        Persist persist = new Persist(lastSequence, hardStateDirty ? hardState : null, entries, dirtyBase);
        pending.add(new Pending(lastSequence, nowNanos, log.lastIndex()));
        hardStateDirty = false;
        dirtyFrom = NOTHING;
        dirtyBase = null;
        return persist;
    }

    /** Everything up to {@code sequence} is on disk. */
    void confirmed(long sequence) {
        Invariants.check(sequence <= lastSequence, "persist %d confirmed, last one was %d", sequence, lastSequence);
        confirmedSequence = Math.max(confirmedSequence, sequence);
        for (Pending first = pending.peekFirst(); first != null; first = pending.peekFirst()) {
            if (first.sequence > sequence) {
                break;
            }
            durableIndex = Math.max(durableIndex, first.lastIndex);
            pending.removeFirst();
        }
    }

    /** When the disk counts as stalled if it confirms nothing until then; far away if nothing is pending. */
    long stalledFromNanos(long patienceNanos) {
        Pending first = pending.peekFirst();
        return first == null ? Long.MAX_VALUE : first.sinceNanos + patienceNanos;
    }
}
