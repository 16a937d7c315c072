package io.holdfast.raft;

import org.jspecify.annotations.Nullable;

/**
 * What must be durable before any answer: the current term and the vote given in it (thesis figure 3.1).
 *
 * @param term the newest term this replica has seen
 * @param votedFor the candidate that got this replica's vote in {@code term}, or null
 */
public record HardState(long term, @Nullable ReplicaId votedFor) {
    /** The state of a replica that has never heard of any term. */
    public static final HardState INITIAL = new HardState(0, null);
}
