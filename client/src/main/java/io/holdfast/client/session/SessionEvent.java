package io.holdfast.client.session;

import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ServerFrame;

/**
 * What can happen to a session machine. Call ids are chosen by the driver, positive, never used twice; each call is answered
 * by exactly one completing action.
 *
 * <p>{@code timeoutNanos} bounds how long the cell may take to answer; {@link Long#MAX_VALUE} for no bound.
 */
public sealed interface SessionEvent {
    /** A stream that was asked for is connected. */
    record StreamOpened(long streamNo) implements SessionEvent {}

    record StreamFrame(long streamNo, ServerFrame frame) implements SessionEvent {}

    /** A stream ended, or could not be opened. */
    record StreamClosed(long streamNo, String reason) implements SessionEvent {}

    /** Time passed; at the latest at {@link SessionMachine#nextDeadlineNanos()}. */
    record Tick() implements SessionEvent {}

    /** A clock that goes on in sleep gained more than a second on the monotonic one: the machine may have been suspended (R1.3). */
    record ClockJump() implements SessionEvent {}

    /** Open the session now rather than with the first call that needs it. */
    record OpenSession() implements SessionEvent {}

    /**
     * A change under the session, applied at most once (R2.7). Answered by {@link SessionAction.Complete} or
     * {@link SessionAction.Fail}.
     *
     * @param operation not {@link Operation.Acquire} or {@link Operation.Release} of a hold; those are {@link Acquire} and
     *     {@link Release}
     */
    record Submit(long callId, Operation operation, long timeoutNanos) implements SessionEvent {}

    /**
     * A linearizable read; needs no session. Answered by {@link SessionAction.Answered} or {@link SessionAction.Fail}.
     *
     * @param cacheable it may be answered from the cache, if there is one; with {@link Query.GetValue} only. Opens the session
     */
    record Read(long callId, Query query, long timeoutNanos, boolean cacheable) implements SessionEvent {
        /** Cacheable if it is of a value. */
        public Read(long callId, Query query, long timeoutNanos) {
            this(callId, query, timeoutNanos, query instanceof Query.GetValue);
        }
    }

    /**
     * A change without a session, never repeated once it was sent. Answered by {@link SessionAction.Complete} or
     * {@link SessionAction.Fail}.
     */
    record OneShot(long callId, Operation operation, long timeoutNanos) implements SessionEvent {}

    /**
     * Takes a lock. Answered by {@link SessionAction.Granted} or {@link SessionAction.Fail}.
     *
     * @param waitNanos bounds the waiting in the queue, from now: 0 tries once, {@link Long#MAX_VALUE} waits without bound
     * @param timeoutNanos bounds how long the cell may take to answer where the place is in the queue
     */
    record Acquire(long callId, AcquireSpec spec, long waitNanos, long timeoutNanos) implements SessionEvent {}

    /**
     * Gives a hold back. Retried until the cell answers or the session ends (R4.4); answered by
     * {@link SessionAction.Complete} with {@link io.holdfast.model.Outcome.Released}, or {@link SessionAction.Fail}.
     */
    record Release(long callId, Hold hold) implements SessionEvent {}

    /**
     * Reads, and watches what was read, for one event (R5.1). Answered by {@link SessionAction.Watching} or {@link
     * SessionAction.Fail}; then, unless it is withdrawn, by one {@link SessionAction.WatchFired} or {@link
     * SessionAction.WatchEnded} under the same id.
     *
     * @param query {@link Query.Watchable}; of a list the first page
     */
    record Watch(long callId, Query query, long timeoutNanos) implements SessionEvent {}

    /**
     * Follows what a query reads until {@link Unwatch} or the session's end: {@link SessionAction.Observed} for the present
     * state and for newer ones, {@link SessionAction.Unsure} and {@link SessionAction.SureAgain} in between, at the end
     * {@link SessionAction.WatchEnded}.
     *
     * @param listenId from the same numbers as call ids
     * @param query {@link Query.Watchable}; of a list the first page, all of it is read
     */
    record Listen(long listenId, Query query) implements SessionEvent {}

    /** Nobody wants to hear of a {@link Watch} or {@link Listen} any more. Nothing follows, not even its end. */
    record Unwatch(long id) implements SessionEvent {}

    /** The caller of {@code callId} is no longer interested. What it made is removed (R4.4); its call fails as cancelled. */
    record Cancel(long callId) implements SessionEvent {}

    /** Everybody has returned who was told of something before {@link SessionAction.AwaitTold} (R3.6). */
    record Told(long number) implements SessionEvent {}

    /** Close the session and everything; {@code timeoutNanos} bounds the waiting for the cell's confirmation. */
    record Close(long timeoutNanos) implements SessionEvent {}
}
