package io.holdfast.client.session;

import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session of a client, from before it is opened until it is over: {@code on(event, now) → actions}.
 *
 * <p><b>Thread:</b> one at a time; it reads no clock and starts nothing. {@code now} is the monotonic time in nanoseconds, from
 * a start near zero, and never falls.
 *
 * <p><b>Invariants:</b> 1. Deadlines that have passed count as passed before the event of that turn is believed (R1.3). 2. Every
 * call is answered exactly once. 3. States go CONNECTING → SAFE ⇄ JEOPARDY → EXPIRED or CLOSED; never a silent new session
 * (R3.4). 4. Only one stream is listened to at a time.
 *
 * <p><b>Source:</b> R1.2, R1.3, R2.7, R3.4, R3.5, R4.2–R4.5.
 */
public final class SessionMachine {
    /** Calls that may be open at once; more are refused as BUSY. */
    public static final int MAX_OPEN_CALLS = 100_000;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SessionConfig config;
    private final Outbox outbox = new Outbox();
    private final Trust trust = new Trust();
    private final LeaseClock lease;
    private final Connection connection;
    private final Binding binding;
    private final Requests requests;
    private final Calls calls;
    private final LockMachine locks;
    private final Watches watches;
    private final WatchDesk watchDesk;
    private final Endings endings;
    private final ValueCache cache;
    private final CallRouter router;
    private final Conversation conversation;
    private final FrameHandler frames;

    private SessionState state = SessionState.CONNECTING;
    private String reason = "not opened yet";
    private long graceEndsAt = Deadlines.NEVER;
    /** It expired by this client's own clock; the cell has said nothing. */
    private boolean unheard;

    private boolean closing;
    private long closeAt = Deadlines.NEVER;
    private long lastNow = Long.MIN_VALUE;

    public SessionMachine(SessionConfig config, RandomSource random) {
        this.config = config;
        this.connection = new Connection(config, random, outbox);
        this.lease = new LeaseClock(trust, connection.silenceNanos() / 2);
        this.binding = new Binding(config, random, outbox, lease);
        this.requests = new Requests(outbox, connection);
        this.calls = new Calls(outbox, connection);
        this.endings = new Endings(outbox, binding, lease);
        this.locks = new LockMachine(trust, outbox, requests, calls, endings);
        this.watches = new Watches(outbox, connection, calls);
        this.watchDesk = new WatchDesk(trust, outbox, calls, watches);
        this.cache = new ValueCache(config.cacheBytes(), trust, outbox);
        this.router = new CallRouter(outbox, requests, calls, locks, watchDesk, cache);
        Parts parts = new Parts(outbox, connection, binding, lease, requests, calls, locks, watches, endings, cache);
        this.conversation = new Conversation(parts, trust);
        this.frames = new FrameHandler(this, conversation, parts);
    }

    /** Takes one event and says what is to be done, in order. */
    public List<SessionAction> on(SessionEvent event, long now) {
        Invariants.check(now >= lastNow, "monotonic time fell from " + lastNow + " to " + now);
        lastNow = now;
        passDeadlines(now); // R1.3: before anything that came in this turn is believed
        handle(event, now);
        conversation.goOn(state, closing || state.isOver(), now);
        return outbox.take();
    }

    private void passDeadlines(long now) {
        if (!closing) {
            passLeaseDeadlines(now);
        }
        if (now >= closeAt) {
            finishClose("closed; the cell did not confirm in time and will end the session with its lease");
        }
        if (now >= endings.nextDeadline()) {
            stopWaiting(); // the cell ends the session now without an acknowledgement
        }
        requests.failDue(now);
        calls.failDue(now);
        locks.failDue(now);
    }

    private void passLeaseDeadlines(long now) {
        if (state == SessionState.SAFE && !trust.safeAt(now)) {
            graceEndsAt = trust.localExpiryNanos() + config.graceMillis() * NANOS_PER_MILLI;
            enter(SessionState.JEOPARDY, "the local lease ended without a confirmation; " + connection.problem());
        }
        if (state == SessionState.JEOPARDY && now >= graceEndsAt) {
            unheard = true;
            expire("no confirmation from the cell within the grace period of " + config.graceMillis() + " ms; "
                    + connection.problem()); // C101: by the client's own clock
        }
    }

    private void handle(SessionEvent event, long now) {
        if (event instanceof SessionEvent.StreamFrame frame) {
            if (connection.isCurrent(frame.streamNo())) {
                frames.on(frame.frame(), now);
            }
        } else if (event instanceof SessionEvent.StreamClosed closed) {
            if (connection.isCurrent(closed.streamNo())) {
                conversation.streamClosed(closed.reason(), now);
            }
        } else if (event instanceof SessionEvent.Tick) {
            conversation.checkStream(now);
        } else if (event instanceof SessionEvent.ClockJump) {
            clockJump(now);
        } else if (event instanceof SessionEvent.Close close) {
            close(close, now);
        } else if (event instanceof SessionEvent.Cancel cancel) {
            router.cancel(cancel.callId(), now);
        } else if (event instanceof SessionEvent.Unwatch unwatch) {
            watchDesk.unwatch(unwatch.id());
        } else if (event instanceof SessionEvent.Told told) {
            endings.returned(told.number(), locks);
        } else if (event instanceof SessionEvent.OpenSession) {
            wantSession();
        } else if (!(event instanceof SessionEvent.StreamOpened)) {
            call(event, now);
        }
    }

    private void call(SessionEvent event, long now) {
        boolean needsSession = !(event instanceof SessionEvent.Read || event instanceof SessionEvent.OneShot);
        if (closing || state == SessionState.CLOSED) {
            router.refuse(event, words -> Failure.closed(true, words));
        } else if (needsSession && state == SessionState.EXPIRED && !(event instanceof SessionEvent.Release)) {
            router.refuse(event, words -> expired(true, words, reason));
        } else if (router.size() >= MAX_OPEN_CALLS && !(event instanceof SessionEvent.Release)) { // R4.4
            router.refuse(
                    event,
                    words -> Failure.refused(
                            ErrorCode.BUSY, words, MAX_OPEN_CALLS + " calls are open; wait for some to end"));
        } else {
            boolean mayBeCached = cache.isOn() && event instanceof SessionEvent.Read read && read.cacheable();
            if (needsSession || mayBeCached) {
                wantSession();
            }
            boolean answered = mayBeCached
                    && state == SessionState.SAFE
                    && router.answerFromCache((SessionEvent.Read) event, now); // R6.5
            if (!answered) {
                router.start(event, now);
            }
        }
    }

    private void wantSession() {
        if (!state.isOver() && !closing) {
            binding.want();
        }
    }

    private void clockJump(long now) {
        lease.clockJumped(); // R1.3: trust is suspended until a KeepAlive sent from now on is confirmed
        if (state == SessionState.SAFE && !closing) {
            graceEndsAt = now + config.graceMillis() * NANOS_PER_MILLI;
            enter(SessionState.JEOPARDY, "the clocks jumped; the machine may have been suspended");
        }
    }

    /** Something extended the lease or restored trust. */
    void leaseConfirmed(long now) {
        boolean mayBeSafe = state == SessionState.CONNECTING || state == SessionState.JEOPARDY;
        if (mayBeSafe && trust.safeAt(now)) {
            graceEndsAt = Deadlines.NEVER;
            String was = state == SessionState.CONNECTING ? "session opened" : "the cell confirmed the session again";
            enter(SessionState.SAFE, was);
            watchDesk.safeAgain(now);
        }
    }

    /** The cell says that the session is over. */
    void sessionEnded(String why, long now) {
        if (closing) {
            finishClose("closed; the session had ended: " + why);
        } else if (state == SessionState.EXPIRED) {
            leave();
        } else if (state == SessionState.CONNECTING) {
            binding.openAnew(now + connection.jittered(0));
        } else {
            expire(why);
        }
    }

    /**
     * R3.6: an operator ends the session. It is over here at once; the acknowledgement goes out when the application has
     * returned from being told, and the stream stays for that.
     */
    void endedFromOutside(Ending.OfSession ending, String why, long now) {
        if (state == SessionState.CONNECTING) {
            endings.acknowledge(ending);
            sessionEnded(why, now);
        } else if (closing || state.isOver()) {
            if (!endings.isTold(ending)) {
                endings.acknowledge(ending);
            }
        } else {
            trust.end();
            enter(SessionState.EXPIRED, why);
            List<Hold> stopping = locks.sessionEnded(why);
            requests.end((definite, words) -> expired(definite, words, why), now);
            watches.end(words -> expired(true, words, why), now);
            endings.over();
            endings.ask(ending, stopping);
            endings.keepStreamUntil(Deadlines.after(now, lease.leaseMillis() * NANOS_PER_MILLI));
        }
    }

    private void stopWaiting() {
        if (closing) {
            finishClose("closed; the cell did not confirm the end of the session in time");
        } else {
            leave();
        }
    }

    /** Nothing more is to be said about a session that is over. */
    private void leave() {
        endings.over();
        binding.noLongerWant();
    }

    /** The Open was refused for good: whoever waits for the session is told, and the next call may try again. */
    void openRefused(ErrorCode code, String message) {
        binding.noLongerWant();
        requests.end((definite, words) -> Failure.refused(code, "open a session for " + words, message), lastNow);
        watches.end(words -> Failure.refused(code, "open a session for " + words, message), lastNow);
    }

    void expire(String why) {
        if (state.isOver()) {
            return;
        }
        trust.end();
        enter(SessionState.EXPIRED, why);
        leave();
        locks.sessionLost(unheard ? null : ErrorCode.SESSION_EXPIRED, why);
        requests.end((definite, words) -> expired(definite, words, why), lastNow);
        watches.end(words -> expired(true, words, why), lastNow);
    }

    private Failure expired(boolean definite, String words, String why) {
        return Failure.sessionExpired(unheard ? null : ErrorCode.SESSION_EXPIRED, definite, words, why);
    }

    private void close(SessionEvent.Close event, long now) {
        if (closing || state == SessionState.CLOSED) {
            return;
        }
        closing = true;
        trust.end(); // R4.4: nothing is held from before the close is sent
        locks.closing();
        endings.closing(locks);
        requests.end((definite, words) -> Failure.closed(definite, words), now);
        watches.end(words -> Failure.closed(true, words), now);
        calls.failAll((definite, words) -> Failure.closed(definite, words), now);
        boolean awaitsEnd = endings.keepsStream() && event.timeoutNanos() > 0;
        if ((state == SessionState.EXPIRED && !awaitsEnd) || !binding.mayExist()) {
            finishClose("closed");
            return;
        }
        closeAt = Deadlines.after(now, event.timeoutNanos());
        if (awaitsEnd) {
            return; // closing the stream now might lose the acknowledgement
        }
        requests.submitUrgent(new Operation.CloseSession(), new Request.Owner() {
            @Override
            public void done(Outcome outcome, long doneAt) {
                finishClose("closed");
            }

            @Override
            public void failed(Failure failure, long failedAt) {
                finishClose("closed; " + failure.message());
            }
        });
    }

    private void finishClose(String why) {
        if (state == SessionState.CLOSED) {
            return;
        }
        closeAt = Deadlines.NEVER;
        leave();
        enter(SessionState.CLOSED, why);
        requests.end((definite, words) -> Failure.closed(definite, words), lastNow);
        connection.close();
    }

    private void enter(SessionState next, String why) {
        state = next;
        reason = why;
        if (next != SessionState.SAFE) {
            cache.empty(); // R6.5
        }
        outbox.add(new SessionAction.StateChanged(next, why));
        if (next == SessionState.JEOPARDY) {
            watchDesk.jeopardy(why);
        }
    }

    /** The driver sends a tick at the latest then; {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNanos() {
        if (state == SessionState.CLOSED) {
            return Deadlines.NEVER;
        }
        long next = Math.min(closeAt, Math.min(requests.nextDeadline(), calls.nextDeadline()));
        next = Math.min(next, Math.min(locks.nextDeadline(), endings.nextDeadline()));
        if (state == SessionState.SAFE && !closing) {
            next = Math.min(next, trust.localExpiryNanos());
        } else if (state == SessionState.JEOPARDY && !closing) {
            next = Math.min(next, graceEndsAt);
        }
        return Math.min(next, conversation.nextDeadline(closing || state.isOver(), lastNow));
    }

    /** As of the last event; {@link Trust#safeAt} knows sooner that a lease is over. */
    public SessionState state() {
        return state;
    }

    /** Why the state is what it is. */
    public String stateReason() {
        return reason;
    }

    /** The local lease; may be read by any thread. */
    public Trust trust() {
        return trust;
    }

    /** Null until it is open. */
    public @Nullable SessionId session() {
        return binding.session();
    }

    /** The latest leader's term that the cell told; 0 before. */
    public long epoch() {
        return binding.epoch();
    }

    /** The lease that the cell granted; 0 until the session is open. */
    public long leaseMillis() {
        return lease.leaseMillis();
    }

    /** How its cache is used; may be read by any thread. */
    public CacheCounts cacheCounts() {
        return cache.counts();
    }

    /** The hold of this lock that the application may act on at {@code now}; null if it must not believe in any. */
    public @Nullable Hold heldAt(NodePath lock, long now) {
        return locks.heldAt(lock, now);
    }

    /** Holds that are not over; in jeopardy they are not held. */
    public List<Hold> holds() {
        return locks.holds();
    }

    /** Watches and listenings of the application; those that hold nothing at the leader just now among them. */
    public int openWatches() {
        return watchDesk.size();
    }

    /** Calls that are not yet answered, clean-up and the acknowledgement of an operator's end of the session included. */
    public int openCalls() {
        return router.size() + requests.size() + calls.size() + (endings.keepsStream() ? 1 : 0);
    }
}
