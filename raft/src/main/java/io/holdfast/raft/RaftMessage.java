package io.holdfast.raft;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What replicas of one cell say to each other. Messages may be lost, repeated, delayed and reordered; each is safe to
 * handle at any time.
 *
 * <p>{@code term} is the sender's current term, except in a pre-vote request, where it is the term that the sender would
 * start (thesis §9.6).
 */
public sealed interface RaftMessage {
    long term();

    /** Would you vote for me in {@code term}? Changes no state at either side (thesis §9.6). */
    record PreVoteRequest(long term, long lastLogIndex, long lastLogTerm) implements RaftMessage {}

    /**
     * Answer to a pre-vote.
     *
     * @param term the receiver's current term
     * @param requestTerm the term that was asked about
     */
    record PreVoteResponse(long term, long requestTerm, boolean granted) implements RaftMessage {}

    /**
     * Vote for me in {@code term} (thesis figure 3.1).
     *
     * @param transfer true when the present leader asked for this election; overrides leader stickiness (thesis §4.2.3)
     */
    record VoteRequest(long term, long lastLogIndex, long lastLogTerm, boolean transfer) implements RaftMessage {}

    /** Answer to a vote request; sent only when term and vote are durable. */
    record VoteResponse(long term, boolean granted) implements RaftMessage {}

    /**
     * Entries after {@code prevIndex}, or none: then it is a heartbeat.
     *
     * @param commitIndex the leader's commit index
     * @param round newest ReadIndex round begun by this leader in this term, 0 if none (R2.6)
     */
    record AppendRequest(long term, long prevIndex, long prevTerm, List<LogEntry> entries, long commitIndex, long round)
            implements RaftMessage {}

    /**
     * Answer to an append; success is sent only when the entries are durable.
     *
     * @param success whether {@code prevIndex} and {@code prevTerm} matched
     * @param matchIndex on success: the follower's log equals the leader's up to here and is durable
     * @param hintIndex on failure: the leader should try again with a {@code prevIndex} no higher than this
     * @param hintTerm on failure: the follower's term at {@code hintIndex}, for skipping a whole term at once
     * @param round echo of the request's round
     */
    record AppendResponse(long term, boolean success, long matchIndex, long hintIndex, long hintTerm, long round)
            implements RaftMessage {}

    /**
     * A piece of a snapshot.
     *
     * @param offset position of {@code data} in the snapshot
     * @param last whether it ends the snapshot
     * @param round as in an append: a replica that is being sent a snapshot confirms rounds too
     */
    record SnapshotChunk(long term, SnapshotMeta meta, long offset, byte[] data, boolean last, long round)
            implements RaftMessage {}

    /**
     * Answer to a snapshot chunk.
     *
     * @param snapshotIndex which snapshot
     * @param nextOffset the offset that the receiver needs next; lets a transfer resume
     * @param installed the snapshot is durable and restored; the follower's log goes on from {@code snapshotIndex}
     */
    record SnapshotResponse(long term, long snapshotIndex, long nextOffset, boolean installed, long round)
            implements RaftMessage {}

    /**
     * Start an election at once: the leader hands over its lead to you (thesis §3.10).
     *
     * @param slowDisks how many leaders in a row, the sender included, gave up for their disks (ADR 0013); 0 if it has another
     *     reason
     */
    record TimeoutNow(long term, int slowDisks) implements RaftMessage {}

    /**
     * A message and its receiver.
     *
     * @param to a member of the cell
     */
    record Envelope(ReplicaId to, RaftMessage message) {}

    /** For logs: the name of the leader in a status, or null. */
    static @Nullable String nameOf(@Nullable ReplicaId id) {
        return id == null ? null : id.name();
    }
}
