package io.holdfast.model;

import java.util.List;

/**
 * What a caller can ask a cell to change. Each is one command in the log, applied at most once (R2.7).
 *
 * <p>Values are shared byte arrays that nobody changes.
 */
public sealed interface Operation {
    /** For {@code expectedVersion}: any version, also none. */
    long ANY_VERSION = -2;
    /** For {@code expectedVersion}: the node must not exist. */
    long MUST_NOT_EXIST = -1;

    /**
     * Sets a persistent value; creates the node (version 0) and missing parents as containers. A container without places
     * becomes the persistent node. Answers {@link Outcome.Written}.
     *
     * @param expectedVersion {@link #ANY_VERSION}, {@link #MUST_NOT_EXIST} or the version to replace
     */
    record Put(NodePath path, byte[] value, long expectedVersion) implements Operation, BatchItem {}

    /**
     * Creates an ephemeral node of the caller's session, or with {@code sequential} one named {@code path} + its create
     * revision in 20 digits (R4.1). Answers {@link Outcome.Created}.
     */
    record CreateEphemeral(NodePath path, byte[] value, boolean sequential) implements Operation {}

    /** Deletes a persistent node, or an ephemeral one that is no place. Answers {@link Outcome.Deleted}. */
    record Delete(NodePath path, long expectedVersion) implements Operation, BatchItem {}

    /**
     * Takes a place in a lock's queue (R4.2). Answers {@link Outcome.Placed}, or {@link Outcome.NotAcquired} when
     * {@code onlyIfFree} and the place would have to wait; then nothing changes.
     *
     * @param lockDelayMillis how long the place blocks others after its session expired (R4.6), 0 for none
     * @param value kept at the place, for example a candidate's address; may be empty
     * @param permits of the semaphore, for {@link LockMode#PERMIT}: 1 to {@link Limits#MAX_PERMITS}, the same as the places that
     *     are there state, or it is refused as {@link ErrorCode#PERMITS_DIFFER}; 0 for a lock
     */
    record Acquire(NodePath lock, LockMode mode, boolean onlyIfFree, long lockDelayMillis, byte[] value, int permits)
            implements Operation {
        /** Of a lock. */
        public Acquire(NodePath lock, LockMode mode, boolean onlyIfFree, long lockDelayMillis, byte[] value) {
            this(lock, mode, onlyIfFree, lockDelayMillis, value, 0);
        }
    }

    /**
     * Gives up a place, held or waiting (R4.4). Answers {@link Outcome.Released}; a place that is gone already is a
     * harmless no-op.
     *
     * @param place path of the place, never just of the lock
     * @param token the place's token; another one is refused as {@link ErrorCode#NOT_OWNER}
     */
    record Release(NodePath place, FencingToken token) implements Operation {}

    /**
     * Undoes request {@code requestId} of this session: removes the place or ephemeral node that it made, or makes sure
     * that it never applies (R2.7). Answers {@link Outcome.Cancelled}.
     */
    record Cancel(long requestId) implements Operation {}

    /**
     * Does all of its items in order, at one revision, or nothing. Answers {@link Outcome.Batched} or {@link
     * Outcome.BatchRefused}.
     *
     * @param items 1 to {@link Limits#MAX_BATCH_ITEMS}, each of another path; deletes are of persistent nodes
     */
    record Batch(List<BatchItem> items) implements Operation {
        public Batch {
            items = List.copyOf(items);
        }

        /** What {@link Limits#MAX_BATCH_CONTENT_BYTES} bounds. */
        public long contentBytes() {
            return items.stream().mapToLong(Operation::contentBytes).sum();
        }
    }

    /** Characters of the path and bytes of the value, if it has one. */
    static long contentBytes(BatchItem item) {
        return item.path().value().length() + (item instanceof Put put ? put.value().length : 0);
    }

    /** One item of a {@link Batch}. */
    sealed interface BatchItem permits Put, Delete, Check {
        NodePath path();

        long expectedVersion();
    }

    /**
     * Only looks: the batch is refused unless the value at the path has this version.
     *
     * @param expectedVersion a version, or {@link #MUST_NOT_EXIST}
     */
    record Check(NodePath path, long expectedVersion) implements BatchItem {}

    /** Ends the caller's session with all that it holds (R3.1). Answers {@link Outcome.SessionClosed}. */
    record CloseSession() implements Operation {}

    /**
     * Ends the hold or the wait of exactly this place, also if it is in its lock-delay (R3.6). Asked without a session, as a
     * one-shot, of the leader: never in the log. Answers {@link Outcome.BeingEnded} as long as the place is there, and may be
     * repeated until it is gone: then {@link ErrorCode#NOT_FOUND}.
     *
     * @param token the place's token; another one is refused as {@link ErrorCode#NOT_FOUND}
     */
    record BreakPlace(NodePath place, FencingToken token) implements Operation {}

    /**
     * Ends a session with all that it has (R3.6); as for {@link BreakPlace}, answered by {@link Outcome.BeingEnded} until the
     * session is gone.
     */
    record EndSession(SessionId session) implements Operation {}
}
