package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.Proposed;
import io.holdfast.raft.RaftOutput.Refused.Reason;

/**
 * Takes entries into a leader's log and bounds what waits for commit.
 *
 * <p><b>Thread:</b> the core's. <b>Invariant:</b> {@code uncommittedBytes} is the size of all entries after the commit
 * index, no-ops aside.
 */
final class Proposals {
    private static final byte[] NOTHING = {};

    private final ReplicaState state;
    private long uncommittedBytes;

    Proposals(ReplicaState state) {
        this.state = state;
        for (long index = state.commitIndex() + 1; index <= state.log.lastIndex(); index++) {
            uncommittedBytes += chargeOf(state.log.entryAt(index));
        }
    }

    private static long chargeOf(LogEntry entry) {
        return entry.type() == EntryType.NOOP ? 0 : entry.sizeBytes();
    }

    /** The first entry of a new leader's term, by which it commits all before it (thesis §6.4, R2.4). */
    long appendNoop() {
        return append(EntryType.NOOP, NOTHING).index();
    }

    void propose(long tag, byte[] data) {
        long limit = state.config.maxUncommittedBytes();
        if (uncommittedBytes > 0 && uncommittedBytes + data.length > limit) {
            state.outbox.refuse(tag, Reason.BUSY);
        } else {
            accept(tag, EntryType.COMMAND, data);
        }
    }

    void accept(long tag, EntryType type, byte[] data) {
        LogEntry entry = append(type, data);
        state.outbox.proposed(new Proposed(tag, entry.index(), entry.term()));
    }

    private LogEntry append(EntryType type, byte[] data) {
        LogEntry entry = new LogEntry(state.log.lastIndex() + 1, state.term(), type, data);
        state.append(entry);
        uncommittedBytes += chargeOf(entry);
        return entry;
    }

    void committed(long fromIndex, long toIndexInclusive) {
        for (long index = fromIndex; index <= toIndexInclusive; index++) {
            uncommittedBytes -= chargeOf(state.log.entryAt(index));
        }
    }
}
