package io.holdfast.cell.node;

/**
 * When something was done.
 *
 * @param revision of the mutation (R2.3)
 * @param wallMillis the proposer's wall clock, for display only (R1.1)
 */
public record Stamp(long revision, long wallMillis) {}
