package io.holdfast.simulation.disk;

import io.holdfast.raft.RaftOutput;
import io.holdfast.storage.CellId;

/** Sees what a replica asks its log store for. */
public interface LogWatcher {
    void requested(CellId cell, RaftOutput.Persist request);

    /** It is on the disk now; the replica is told next. */
    void durable(CellId cell, RaftOutput.Persist request);
}
