package io.holdfast.cell;

import java.util.List;

/**
 * The content of one log entry: everything that waited when the leader proposed.
 *
 * @param epoch the term in which it was proposed, as clients see it
 * @param wallMillis the proposer's wall clock, kept with what is made, for display only (R1.1)
 * @param principal who asked, empty until authentication exists; part of the format from the first day
 * @param stateBytes the proposer's {@link CellLimits}: it decides outcomes, so all replicas take it from the log and none
 *     from its own configuration (R2.2); 0 or less lets nothing grow
 * @param commands applied in order
 */
public record CommandBatch(long epoch, long wallMillis, String principal, long stateBytes, List<Command> commands) {}
