package io.holdfast.raft;

/**
 * Names a snapshot: the state after applying the log up to and including {@code index}.
 *
 * @param index last index contained
 * @param term term of the entry at {@code index}
 * @param membership the membership in force at {@code index}
 */
public record SnapshotMeta(long index, long term, Membership membership) {}
