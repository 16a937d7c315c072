package io.holdfast.client.session;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseCall;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's leased locks: {@code on(event, now) → actions}. It has no session and needs none; it has a stream of its own, so that
 * nothing that becomes of a session touches it.
 *
 * <p><b>Thread:</b> one at a time; it reads no clock and starts nothing. {@code now} is the monotonic time in nanoseconds, from a start
 * near zero, and never falls.
 *
 * <p><b>Invariants:</b> 1. Deadlines that have passed count as passed before the event of that turn is believed (R1.3). 2. Every call is
 * answered exactly once. 3. Only one stream is listened to at a time.
 *
 * <p><b>Source:</b> F8, R1.2, R1.3, R7.2, ADR 0018.
 */
public final class LeaseMachine {
    /** Calls that may be open at once; more are refused as BUSY. */
    public static final int MAX_OPEN_CALLS = 100_000;

    /** Interruptions in a row on one stream after which another endpoint is tried. */
    private static final int MAX_TRIES_PER_STREAM = 3;

    private final Outbox outbox = new Outbox();
    private final Connection connection;
    private final LeaseCalls calls;
    private final LeaseHolds holds;
    private final LeaseAttempts attempts;
    private final Moving moving = new Moving();
    /** Identity of the deployment, from the first Hello. */
    private @Nullable String deployment;

    /** Not before then does anything go out on this stream. */
    private long resumeAt = Long.MIN_VALUE;

    private int tries;
    private boolean closing;
    private boolean closed;
    private long closeAt = Deadlines.NEVER;
    private long lastNow = Long.MIN_VALUE;

    /** @param config of its session lease only what it says about how long an endpoint may be silent is used */
    public LeaseMachine(SessionConfig config, RandomSource random) {
        this.connection = new Connection(config, random, outbox);
        this.calls = new LeaseCalls(outbox, connection);
        this.holds = new LeaseHolds(outbox, calls);
        this.attempts = new LeaseAttempts(outbox, calls, holds);
    }

    /** Takes one event and says what is to be done, in order. */
    public List<SessionAction> on(LeaseEvent event, long now) {
        Invariants.check(now >= lastNow, "monotonic time fell from " + lastNow + " to " + now);
        lastNow = now;
        holds.passDeadlines(now); // R1.3: before anything that came in this turn is believed
        calls.failDue(now);
        attempts.passDeadlines(now);
        handle(event, now);
        goOn(now);
        return outbox.take();
    }

    private void handle(LeaseEvent event, long now) {
        if (event instanceof LeaseEvent.StreamFrame frame) {
            if (connection.isCurrent(frame.streamNo())) {
                onFrame(frame.frame(), now);
            }
        } else if (event instanceof LeaseEvent.StreamClosed ended) {
            if (connection.isCurrent(ended.streamNo())) {
                connection.lost(ended.reason(), now);
                streamLost();
            }
        } else if (event instanceof LeaseEvent.Tick) {
            checkStream(now);
        } else if (event instanceof LeaseEvent.ClockJump) {
            calls.clockJumped();
            holds.clockJumped(now);
            holds.passDeadlines(now);
        } else if (event instanceof LeaseEvent.Cancel cancel) {
            attempts.cancel(cancel.callId(), now);
        } else if (event instanceof LeaseEvent.Close close) {
            close(close.timeoutNanos(), now);
        } else if (event instanceof LeaseEvent.Release release) {
            release(release, now);
        } else if (event instanceof LeaseEvent.Ask ask) {
            if (admits(ask.callId(), ask.call())) {
                attempts.ask(ask, now);
            }
        } else if (event instanceof LeaseEvent.Acquire acquire && admits(acquire.callId(), acquire.call())) {
            attempts.acquire(acquire, now);
        }
    }

    private boolean admits(long callId, LeaseCall call) {
        String words = Words.of(call);
        Failure failure = null;
        if (closing) {
            failure = Failure.closed(true, words);
        } else if (Math.max(attempts.size(), calls.size()) >= MAX_OPEN_CALLS) {
            failure = Failure.refused(ErrorCode.BUSY, words, MAX_OPEN_CALLS + " calls are open; wait for some to end");
        }
        if (failure != null) {
            outbox.add(new SessionAction.Fail(callId, failure));
        }
        return failure == null;
    }

    /** While closing everything is being given back already. */
    private void release(LeaseEvent.Release release, long now) {
        if (closing) {
            release.hold().markReleasing();
            outbox.add(new SessionAction.Fail(release.callId(), Failure.closed(false, "release " + release.hold())));
        } else {
            holds.release(release.callId(), release.hold(), now);
        }
    }

    private void close(long timeoutNanos, long now) {
        if (!closing) {
            closing = true;
            closeAt = Deadlines.after(now, timeoutNanos);
            attempts.closing(now);
            holds.closing(now);
        }
    }

    // ---- the stream

    private void onFrame(ServerFrame frame, long now) {
        if (frame instanceof ServerFrame.Pong) {
            connection.pong(now);
            return;
        }
        if (frame instanceof ServerFrame.Draining draining) {
            connection.pong(now); // it is there, and answers nothing by that
            moving.asked(draining.spreadMillis(), connection.random(), now);
            return;
        }
        if (frame instanceof ServerFrame.Refused refused
                && refused.code() == ErrorCode.UNAVAILABLE
                && refused.definite()
                && calls.showsEndpointWithoutLeaders(refused.id(), now)) {
            connection.refusedForWantOfLeader(calls.sentAt(refused.id()), now);
        }
        connection.heard(now);
        if (frame instanceof ServerFrame.Reply reply) {
            connection.proven(now);
            tries = 0;
            calls.reply(reply.requestId(), reply.outcome(), now);
        } else if (frame instanceof ServerFrame.Refused refused) {
            calls.refused(refused.id(), refused.code(), refused.definite(), refused.message(), now);
        } else if (frame instanceof ServerFrame.Hello hello) {
            hello(hello);
        } else if (frame instanceof ServerFrame.Interrupted interrupted) {
            interrupted(interrupted.reason(), interrupted.leaderHint(), now);
        }
    }

    /** Another deployment under the same address knows nothing of our holds, and may grant them to others (C115). */
    private void hello(ServerFrame.Hello hello) {
        if (deployment != null && !deployment.equals(hello.deployment())) {
            holds.loseAll("cell '" + hello.cell() + "' was set up anew: it is deployment " + hello.deployment()
                    + ", the lease belonged to " + deployment);
        }
        deployment = hello.deployment();
        connection.hello();
    }

    /** What is in flight has an unknown fate; this stream is tried again after a pause, or else the next (C73, C74). */
    private void interrupted(String why, @Nullable String hint, long now) {
        calls.interrupted();
        resumeAt = now + connection.jittered(tries);
        if (++tries >= MAX_TRIES_PER_STREAM) {
            abandonStream(why, now);
            connection.prefer(hint);
        }
    }

    /** A stream that left something unanswered for too long is dead, whatever its socket says (C81). */
    private void checkStream(long now) {
        connection.excuseOwnPause(now);
        if (connection.phase() != Connection.Phase.DOWN && now >= streamDeadAt()) {
            abandonStream(connection.deathReason(now), now);
        }
    }

    private long streamDeadAt() {
        return Math.min(connection.deadAt(), connection.patienceEndsAt(calls.oldestSentAt()));
    }

    private void abandonStream(String why, long now) {
        connection.abandon(why, now);
        streamLost();
    }

    private void streamLost() {
        moving.reset();
        calls.interrupted();
        tries = 0;
        resumeAt = Long.MIN_VALUE;
    }

    private void goOn(long now) {
        if (closing && !closed && (calls.size() == 0 || now >= closeAt)) {
            closed = true;
            connection.close();
        }
        if (closed) {
            return;
        }
        if (connection.phase() != Connection.Phase.DOWN && mayMove(now)) {
            connection.moveOn(now);
            streamLost();
        }
        if (connection.phase() == Connection.Phase.DOWN && calls.size() > 0 && now >= connection.attemptAt()) {
            connection.open(now);
        }
        if (connection.isLeaderless()) {
            abandonStream("no leader can be reached through it", now);
        }
        if (connection.isOpen()) {
            if (now >= resumeAt && !moving.isDue(now)) { // else it goes to the next endpoint
                calls.flush(now);
            }
            connection.askPulse(now);
        }
        connection.expecting(calls.hasOnStream(), now);
    }

    /** The other end drains: the client goes when its time has come and nothing is interrupted by it, or not much longer. */
    private boolean mayMove(long now) {
        return moving.isDue(now) && (!calls.hasOnStream() || moving.isOverdue(now));
    }

    /** The driver sends a tick at the latest then; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNanos() {
        if (closed) {
            return Deadlines.NEVER;
        }
        long next = Math.min(closeAt, Math.min(holds.nextDeadline(), attempts.nextDeadline()));
        next = Math.min(next, calls.nextDeadline());
        if (connection.phase() == Connection.Phase.DOWN) {
            return calls.size() > 0 ? Math.min(next, connection.attemptAt()) : next;
        }
        next = Math.min(next, Math.min(streamDeadAt(), moving.nextDeadline(lastNow)));
        if (connection.isOpen()) {
            next = Math.min(next, connection.pulseAt());
            if (!moving.isDue(lastNow)) {
                next = Math.min(next, Math.max(resumeAt, calls.nextSend()));
            }
        }
        return next;
    }

    /** Everything was given back, or the time for it is over. */
    public boolean isClosed() {
        return closed;
    }

    /** Holds that are neither given back nor lost. */
    public List<LeasedHold> holds() {
        return holds.holds();
    }

    /** Calls that are not yet answered, renewals and clean-up included. */
    public int openCalls() {
        return attempts.size() + calls.size();
    }
}
