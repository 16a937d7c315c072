package io.holdfast.client.session;

import io.holdfast.model.LeaseCall;
import io.holdfast.protocol.frame.ServerFrame;

/**
 * What can happen to a {@link LeaseMachine}. Call ids are chosen by the driver, positive, never used twice; each call is answered by
 * exactly one completing action.
 */
public sealed interface LeaseEvent {
    record StreamFrame(long streamNo, ServerFrame frame) implements LeaseEvent {}

    /** A stream ended, or could not be opened. */
    record StreamClosed(long streamNo, String reason) implements LeaseEvent {}

    /** Time passed; at the latest at {@link LeaseMachine#nextDeadlineNanos()}. */
    record Tick() implements LeaseEvent {}

    /** A clock that goes on in sleep gained more than a second on the monotonic one (R1.3). */
    record ClockJump() implements LeaseEvent {}

    /**
     * One call, repeated until it is answered or its time is over. Answered by {@link SessionAction.Complete} with an {@link
     * io.holdfast.model.Outcome.OfLease}, or by {@link SessionAction.Fail}. Nobody renews what it acquires.
     *
     * @param giveBack whether an acquire that nobody waits for any more is given back: only if nobody else knows its request id, who
     *     might repeat it and believe in the grant
     */
    record Ask(long callId, LeaseCall call, long timeoutNanos, boolean giveBack) implements LeaseEvent {}

    /**
     * Acquires, and asks again while another holds; then renews by itself. Answered by {@link SessionAction.LeaseGranted} or {@link
     * SessionAction.Fail}.
     *
     * @param call with a request id that nobody else knows
     * @param waitNanos how long to ask again, from now: 0 asks once, {@link Long#MAX_VALUE} without bound
     * @param timeoutNanos bounds how long the cell may take for each answer
     */
    record Acquire(long callId, LeaseCall.Acquire call, long waitNanos, long timeoutNanos) implements LeaseEvent {}

    /**
     * Gives a hold back; repeated until answered or its lease is over. Answered by {@link SessionAction.Complete} or {@link
     * SessionAction.Fail}.
     */
    record Release(long callId, LeasedHold hold) implements LeaseEvent {}

    /** The caller of {@code callId} is no longer interested; what it acquired is given back. */
    record Cancel(long callId) implements LeaseEvent {}

    /** Give everything back and end; {@code timeoutNanos} bounds the waiting for the cell. */
    record Close(long timeoutNanos) implements LeaseEvent {}
}
