package io.holdfast.cell.session;

/**
 * What a session was opened with, never changed.
 *
 * @param secret {@link io.holdfast.model.Limits#SECRET_BYTES} bytes; whoever knows them may attach (R3.1)
 * @param wallMillis wall clock when it was opened, for display only
 */
public record Opening(byte[] secret, long leaseMillis, String clientName, boolean caching, long wallMillis) {}
