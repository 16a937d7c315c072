package io.holdfast.replica;

import io.holdfast.raft.RaftOutput;
import io.holdfast.storage.CellId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica process looked like after a turn of its loop; immutable, for any thread.
 *
 * @param formed whether consensus runs
 * @param failed whether the loop has stopped for good; see {@link ReplicaListener#fatal}
 */
public record ReplicaStatus(boolean formed, boolean failed, List<CellView> cells) {
    public ReplicaStatus {
        cells = List.copyOf(cells);
    }

    /** The view of a cell, or null if this process has no running replica of it. */
    public @Nullable CellView cell(CellId id) {
        for (CellView view : cells) {
            if (view.id().equals(id)) {
                return view;
            }
        }
        return null;
    }

    /**
     * One cell.
     *
     * @param leader name of the leader of {@code term} as far as known, or null
     * @param digest of the state at {@code appliedIndex}, in hexadecimal
     * @param logBytes of its entries in the log
     * @param serving this replica leads and the no-op of its term is applied (R2.4)
     */
    public record CellView(
            CellId id,
            RaftOutput.Role role,
            long term,
            @Nullable String leader,
            long appliedIndex,
            String digest,
            long revision,
            boolean serving,
            Sizes sizes,
            long logBytes,
            Caches caches) {}

    /**
     * What clients cache; nothing unless this replica leads.
     *
     * @param paths with or without a value
     * @param oldestAwaitedNanos on the loop's clock, when the first of those was told to let go whom writes may wait for; {@link
     *     Long#MAX_VALUE} if there is none
     */
    public record Caches(int paths, long oldestAwaitedNanos) {
        /** Nothing. */
        public static final Caches NONE = new Caches(0, Long.MAX_VALUE);
    }

    /**
     * How much a cell's state holds.
     *
     * @param sessions open
     * @param locksHeld places that sessions hold
     * @param lockWaiters places that wait for their turn
     * @param stateBytes charged to the limit of the state's size
     * @param leasesHeld leased locks that are held
     * @param watches of its clients; 0 unless this replica leads
     */
    public record Sizes(
            long sessions, long locksHeld, long lockWaiters, long stateBytes, long watches, long leasesHeld) {}
}
