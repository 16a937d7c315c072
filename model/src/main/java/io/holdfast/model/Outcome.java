package io.holdfast.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of an {@link Operation}; the same on every replica. */
public sealed interface Outcome {
    /** A persistent value stands. */
    record Written(NodePath path, long version, long revision, boolean created) implements Outcome {}

    /** An ephemeral node stands. */
    record Created(NodePath path, long revision) implements Outcome {}

    record Deleted(NodePath path, long revision) implements Outcome {}

    /**
     * A place in a lock's queue, judged at the moment of answering (R2.7).
     *
     * @param token the place's create revision
     * @param held whether it is held now; else it waits and a grant event will follow
     * @param present false if the place is gone (answer to a repeated request)
     */
    record Placed(NodePath place, FencingToken token, boolean held, boolean present) implements Outcome {}

    /**
     * A try found the lock taken; nothing was left behind.
     *
     * @param blocker token of the place that stands in the way
     */
    record NotAcquired(NodePath lock, FencingToken blocker) implements Outcome {}

    /** @param removed false if the place was gone already */
    record Released(boolean removed) implements Outcome {}

    /** @param removed the path that the cancelled request had made and that is removed now, or null */
    record Cancelled(@Nullable NodePath removed) implements Outcome {}

    record SessionOpened(SessionId session, long leaseMillis) implements Outcome {}

    record SessionClosed() implements Outcome {}

    /**
     * A batch was applied, all of it.
     *
     * @param revision of all that it changed; the cell's present one if it changed nothing
     * @param versions for each item the version that the value has now; of a delete, the one that it had; {@link
     *     Operation#MUST_NOT_EXIST} for a check that there is none
     */
    record Batched(long revision, List<Long> versions) implements Outcome {
        public Batched {
            versions = List.copyOf(versions);
        }
    }

    /**
     * Nothing of a batch was done, definitely.
     *
     * @param item the first that could not be, from 0; -1 if it is about the batch itself
     */
    record BatchRefused(int item, ErrorCode code, String message) implements Outcome {}

    /**
     * Something is being ended from outside (R3.6): it ends when its client has let go, or at the latest in so many
     * milliseconds by this leader's clock; a later leader gives a full lease again.
     *
     * @param session for whom the cell waits; null if it waits for nobody
     * @param clientName what that session's client calls itself
     * @param acknowledged whether the client has let go already
     */
    record BeingEnded(@Nullable SessionId session, String clientName, boolean acknowledged, long waitMillis)
            implements Outcome {}

    /** What came of a {@link LeaseCall}. */
    record OfLease(LeaseOutcome lease) implements Outcome {}

    /** Not done, definitely. */
    record Failed(ErrorCode code, String message) implements Outcome {}
}
