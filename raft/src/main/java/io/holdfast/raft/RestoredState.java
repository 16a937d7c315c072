package io.holdfast.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica finds on its disk when it starts.
 *
 * @param hardState term and vote
 * @param snapshot the newest durable snapshot, already restored into the state machine, or null
 * @param initialMembership the membership the cell was formed with; in force until the log or a snapshot says otherwise
 * @param baseIndex the log's entries begin after this index; at most the snapshot's index
 * @param baseTerm term of the entry at {@code baseIndex}, 0 if that is 0
 * @param entries contiguous from {@code baseIndex + 1}
 */
public record RestoredState(
        HardState hardState,
        @Nullable SnapshotMeta snapshot,
        Membership initialMembership,
        long baseIndex,
        long baseTerm,
        List<LogEntry> entries) {}
