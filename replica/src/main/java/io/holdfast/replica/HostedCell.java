package io.holdfast.replica;

import io.holdfast.cell.CellLimits;
import io.holdfast.storage.CellId;
import io.holdfast.storage.SnapshotStore;

/** One cell that a process has a replica of. */
public record HostedCell(CellId id, SnapshotStore snapshots, CellLimits limits) {}
