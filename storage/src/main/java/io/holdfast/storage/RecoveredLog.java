package io.holdfast.storage;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import java.util.List;

/**
 * The durable log of one cell.
 *
 * @param hardState term and vote
 * @param baseIndex entries begin after this index; if it is above 0 a snapshot at or above it must exist (C15)
 * @param baseTerm term of the entry at {@code baseIndex}
 * @param entries contiguous from {@code baseIndex + 1}
 */
public record RecoveredLog(HardState hardState, long baseIndex, long baseTerm, List<LogEntry> entries) {}
