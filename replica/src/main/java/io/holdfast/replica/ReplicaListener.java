package io.holdfast.replica;

import io.holdfast.raft.RaftOutput;
import io.holdfast.storage.CellId;
import org.jspecify.annotations.Nullable;

/**
 * Told by the loop what operators and front ends want to know. Must return at once.
 *
 * <p><b>Thread:</b> the loop calls.
 */
public interface ReplicaListener {
    /** Who leads a cell, as far as this replica knows. */
    default void roleChanged(CellId cell, RaftOutput.Role role, long term, @Nullable String leader) {}

    /** This replica leads and serves from now on: the no-op of its term is applied (R2.4). */
    default void serving(CellId cell, long term) {}

    /** This replica leads, and nothing is being committed (C70): changes are refused until it is told that that is over. */
    default void commitsStalled(CellId cell, boolean stalled) {}

    /** The cell has been formed, or was formed before: consensus runs. */
    default void formed() {}

    /** This replica had missed more than the leader's log still held, and continues from its snapshot up to an index. */
    default void snapshotInstalled(CellId cell, long index) {}

    /** One line an operator can act on. */
    default void notice(String message) {}

    /** Who measures; asked once, before the first turn. */
    default ReplicaMeter meter() {
        return ReplicaMeter.NONE;
    }

    /** The process must end: a safety check failed or the disk cannot be trusted (R8.3). */
    default void fatal(Throwable cause) {}
}
