package io.holdfast.cell;

import io.holdfast.model.Outcome;
import java.util.List;

/**
 * What came of one log entry.
 *
 * @param outcomes one per command, in order
 * @param events of all commands, in order
 */
public record AppliedEntry(long index, List<Outcome> outcomes, List<CellEvent> events) {}
