package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.raft.HardState;
import io.holdfast.raft.Membership;
import io.holdfast.raft.RestoredState;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.CellId;
import io.holdfast.storage.LogStore;
import io.holdfast.storage.RecoveredLog;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One cell as it was found on disk, its state restored from the newest snapshot.
 *
 * <p>Consensus hands out the committed entries after the snapshot again, so nothing is served from a half-replayed log:
 * a replica answers only as a leader whose no-op, behind all older entries, is applied (R2.4, C39).
 */
record CellStart(
        HostedCell cell, RecoveredLog log, @Nullable SnapshotMeta snapshot, CellStateMachine machine) {
    private static final RecoveredLog NOTHING = new RecoveredLog(HardState.INITIAL, 0, 0, List.of());

    CellId id() {
        return cell.id();
    }

    /** Reads the cell's part of the log and its newest snapshot; blocks. */
    static CellStart load(HostedCell cell, LogStore store) throws IOException {
        RecoveredLog log = store.recovered().getOrDefault(cell.id(), NOTHING);
        Optional<SnapshotMeta> newest = cell.snapshots().newest();
        checkBase(cell.id(), log, newest);
        CellStateMachine machine =
                newest.isPresent() ? SnapshotStreams.restore(cell, newest.get()) : new CellStateMachine(cell.limits());
        return new CellStart(cell, log, newest.orElse(null), machine);
    }

    /** A log that begins after a snapshot that is not there is half a log: never served, never voted from (C15). */
    private static void checkBase(CellId id, RecoveredLog log, Optional<SnapshotMeta> newest)
            throws StartRefusedException {
        long covered = newest.isPresent() ? newest.get().index() : 0;
        if (log.baseIndex() > covered) {
            throw new StartRefusedException("cell " + id + ": the log begins after index " + log.baseIndex()
                    + " but the newest snapshot "
                    + (newest.isPresent() ? "ends at " + covered : "is missing")
                    + ": data is lost; restore the snapshot files, or remove this replica from the cell, delete its"
                    + " data directory and add it anew");
        }
    }

    /** The record of the members and the log must have come and gone together (C15, C16). */
    static void checkAgainst(FormationRecord recorded, boolean hasData) throws StartRefusedException {
        if (hasData && recorded.members().isEmpty()) {
            throw new StartRefusedException(
                    "the data directory has a log but no record of the members it was made with: "
                            + "it is damaged or put together from different replicas");
        }
        if (!hasData && recorded.started()) {
            throw new StartRefusedException(
                    "this replica took part in a cell before, but its log is gone: remove it from "
                            + "the cell, delete its data directory and add it anew");
        }
    }

    boolean hasData() {
        return snapshot != null
                || log.baseIndex() > 0
                || !log.entries().isEmpty()
                || !log.hardState().equals(HardState.INITIAL);
    }

    RestoredState restored(Membership initial) {
        return new RestoredState(log.hardState(), snapshot, initial, log.baseIndex(), log.baseTerm(), log.entries());
    }
}
