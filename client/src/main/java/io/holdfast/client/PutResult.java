package io.holdfast.client;

/**
 * A value was written.
 *
 * @param version the value's version now
 * @param revision of the cell
 * @param created whether it did not exist before
 */
public record PutResult(String path, long version, long revision, boolean created) {}
