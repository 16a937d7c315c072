package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;

/** What a session machine wants done, in this order. */
public sealed interface SessionAction {
    /** Connect to the endpoint of this index in {@link SessionConfig#endpoints()}, looking its name up anew (C116). */
    record OpenStream(long streamNo, int endpointIndex) implements SessionAction {}

    record Send(long streamNo, ClientFrame frame) implements SessionAction {}

    /** The stream is of no more use; what still comes on it is ignored. */
    record CloseStream(long streamNo) implements SessionAction {}

    /** A submit, one-shot or release was answered; the outcome may be {@link Outcome.NotAcquired}, never a failure. */
    record Complete(long callId, Outcome outcome) implements SessionAction {}

    /**
     * A read was answered; never {@link Answer.Failed}.
     *
     * @param cached it was answered from the cache
     */
    record Answered(long callId, Answer answer, boolean cached) implements SessionAction {
        /** By the cell. */
        public Answered(long callId, Answer answer) {
            this(callId, answer, false);
        }
    }

    /**
     * An acquire succeeded while the session was SAFE (R4.3). Whoever hands the hold on checks {@link Hold#isHeldAt} then; if
     * it no longer holds, it reports it lost and releases it.
     */
    record Granted(long callId, Hold hold) implements SessionAction {}

    /**
     * A leased lock is held, counted from when what was answered was sent (R1.2). Whoever hands the hold on checks {@link
     * LeasedHold#isHeldAt} then; if it no longer holds, it reports it lost and releases it.
     */
    record LeaseGranted(long callId, LeasedHold hold) implements SessionAction {}

    /** A hold of a leased lock is gone for good although nobody released it. */
    record LeaseLost(LeasedHold hold, String reason) implements SessionAction {}

    /** A call failed; nothing more will come of it. */
    record Fail(long callId, Failure failure) implements SessionAction {}

    /**
     * A {@link SessionEvent.Watch} was answered, and the watch stands.
     *
     * @param answer {@link Answer.Failed} with NOT_FOUND if there is no node; never another failure
     * @param seenRevision of the cell: what is newer has a higher one
     */
    record Watching(long callId, Answer answer, long seenRevision) implements SessionAction {}

    /** There is something newer than what the watch's answer showed; the watch is used up. */
    record WatchFired(long callId, long revision) implements SessionAction {}

    /** A {@link SessionEvent.Listen} found the present state or a newer one; {@code answer} as in {@link Watching}. */
    record Observed(long listenId, Answer answer) implements SessionAction {}

    /** What was observed last may be old: nobody watches at the leader just now, or the session is in jeopardy. */
    record Unsure(long listenId, String reason) implements SessionAction {}

    /** What was observed last is the state again, or still. */
    record SureAgain(long listenId) implements SessionAction {}

    /** Of a watch that stood, or of a listening: nothing more will come. */
    record WatchEnded(long id, Failure failure) implements SessionAction {}

    /** To be told to listeners in this order (R3.4, C35). */
    record StateChanged(SessionState state, String reason) implements SessionAction {}

    /** A hold is gone for good although nobody released it. */
    record HoldLost(Hold hold, String reason) implements SessionAction {}

    /**
     * When everybody who was told before this that these holds are lost has returned, {@link SessionEvent.Told} with this number
     * is to follow: the cell waits for it (R3.6). Whatever else was told delays it not.
     *
     * @param session whether also those are waited for who were told of the session's state
     */
    record AwaitTold(long number, List<Hold> holds, boolean session) implements SessionAction {
        public AwaitTold {
            holds = List.copyOf(holds);
        }
    }
}
