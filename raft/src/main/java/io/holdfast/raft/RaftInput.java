package io.holdfast.raft;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a replica. The driver steps each into {@link RaftCore} and then takes the output.
 */
public sealed interface RaftInput {
    /** Time passed; due at {@link RaftOutput#nextDeadlineNanos()} at the latest. */
    record Tick() implements RaftInput {}

    /** A message arrived. Senders that are not members are answered or ignored, never counted. */
    record Received(ReplicaId from, RaftMessage message) implements RaftInput {}

    /**
     * Append {@code data} if this replica leads.
     *
     * @param tag chosen by the driver; comes back in {@link RaftOutput.Proposed} or {@link RaftOutput.Refused}
     */
    record Propose(long tag, byte[] data) implements RaftInput {}

    /** Change the membership by one step; answered like a proposal. */
    record ProposeMembership(long tag, MembershipChange change) implements RaftInput {}

    /**
     * Confirm leadership by a round that starts after this input (R2.6).
     *
     * @param tag comes back in {@link RaftOutput.ReadConfirmed} or {@link RaftOutput.Refused}
     */
    record ReadIndex(long tag) implements RaftInput {}

    /**
     * Everything in the {@link RaftOutput.Persist} with this sequence number, and all before it, is durable.
     */
    record Persisted(long sequence) implements RaftInput {}

    /** The connection from this peer was closed by its side: its process has probably ended. */
    record PeerDisconnected(ReplicaId peer) implements RaftInput {}

    /**
     * Hand the lead to another voter.
     *
     * @param target who shall lead; null for whichever voter is there and has most of the log
     */
    record TransferLeadership(@Nullable ReplicaId target) implements RaftInput {}

    /**
     * The state machine's snapshot at {@code meta} is durable.
     *
     * @param compactToIndex entries up to and including this index, at most {@code meta.index()}, may be dropped
     */
    record SnapshotTaken(SnapshotMeta meta, long compactToIndex) implements RaftInput {}

    /** Answer to {@link RaftOutput.ReadChunk}. */
    record ChunkRead(ReplicaId peer, SnapshotMeta meta, long offset, byte[] data, boolean last) implements RaftInput {}

    /** Answer to {@link RaftOutput.ReadChunk} when that snapshot is gone: the core begins again with a newer one. */
    record ChunkUnavailable(ReplicaId peer, SnapshotMeta meta) implements RaftInput {}

    /** Answer to {@link RaftOutput.WriteChunk} when it was not the last one, or could not be used. */
    record ChunkWritten(SnapshotMeta meta, long nextOffset) implements RaftInput {}

    /** The whole snapshot is durable and the state machine was restored from it. */
    record SnapshotInstalled(SnapshotMeta meta) implements RaftInput {}
}
