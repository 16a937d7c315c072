package io.holdfast.client.loop;

import io.holdfast.client.session.CacheCounts;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.client.session.RandomSource;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.protocol.loop.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a client's session machine over a mailbox, on the thread that its transport has for the network (ADR 0006).
 *
 * <p><b>Thread:</b> public methods any; all else the loop's. Listeners are called on that and must not keep it.
 *
 * <p><b>Invariants:</b> 1. Each call's listener is told exactly once, also when the loop ends. 2. The clock is read after an
 * event was taken from the mailbox, so deadlines are judged at the time of handling (R1.3). 3. A jump of the clocks is handled
 * before anything else of a turn. 4. A call is said to be not done only if no turn took it from the mailbox.
 */
public final class ClientLoop {
    private static final Logger log = LoggerFactory.getLogger(ClientLoop.class);
    /** Looks at all clocks at least this often while there is a session. */
    private static final long MAX_SLEEP_NANOS = 500_000_000L;
    /** Mails between two ticks. */
    private static final int MAX_MAILS_PER_TURN = 256;

    private static final Failure NOT_DONE =
            new Failure(Failure.Kind.CLOSED, null, true, "the client is closed; it was not done");
    private static final Failure MAYBE_DONE =
            new Failure(Failure.Kind.CLOSED, null, false, "the client is closed; whether it was done is not known");

    private final SessionConfig config;
    private final ClientTransport transport;
    private final SleepAwareClock clock;
    private final RandomSource random;
    private final SessionListener listener;
    private final Turns turns;
    private final Queue<Mail> mailbox = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<Long, CallListener> calls = new ConcurrentHashMap<>();
    private final WatchBook watches = new WatchBook();
    /** Leased locks that were granted and neither given back nor lost. */
    private final Set<LeasedHold> leased = ConcurrentHashMap.newKeySet();

    private final AtomicLong callIds = new AtomicLong();

    private Seat current;
    /** Sessions that are over but still have reads open. */
    private final List<Seat> retiring = new ArrayList<>();

    /** Made with the first call about a leased lock. */
    private @Nullable LeaseSeat leases;

    private boolean closeAsked;
    /** Replaced under this object's lock: what is shown at the end stays. */
    private volatile SessionSnapshot snapshot;
    /** Whoever is in a turn. */
    private volatile @Nullable Thread turning;

    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Something for the loop to do.
     *
     * @param seat null for the present session's
     * @param event null to put a new session in the place of one that is over
     * @param lease for the leased locks; the rest counts for nothing then, but for the call
     * @param callId of the call that it starts, else 0
     * @param handled completed once it was handled, if anybody wants to know
     */
    private record Mail(
            @Nullable Seat seat,
            @Nullable SessionEvent event,
            @Nullable LeaseEvent lease,
            long callId,
            @Nullable CompletableFuture<Boolean> handled) {
        Mail(
                @Nullable Seat seat,
                @Nullable SessionEvent event,
                long callId,
                @Nullable CompletableFuture<Boolean> handled) {
            this(seat, event, null, callId, handled);
        }
    }

    /** Clocks and random numbers, from outside. */
    public record Sources(ClientClock clock, RandomSource random) {}

    public ClientLoop(SessionConfig config, ClientTransport transport, Sources sources, SessionListener listener) {
        this.config = config;
        this.transport = transport;
        this.clock = new SleepAwareClock(sources.clock());
        this.random = sources.random();
        this.listener = listener;
        this.current = new Seat(config, random, this);
        this.snapshot = snapshotOf(current);
        this.turns = new Turns(transport.executor(), this::run, () -> endAs("the client's thread has ended"));
    }

    public void start() {
        turns.start();
    }

    /** Starts a call; its id. The listener may be told before this returns. */
    public long call(LongFunction<SessionEvent> event, CallListener callListener) {
        long id = callIds.incrementAndGet();
        calls.put(id, callListener);
        post(new Mail(null, event.apply(id), id, null));
        return id;
    }

    /** Starts a call about a leased lock; its id. The listener may be told before this returns. */
    public long leaseCall(LongFunction<LeaseEvent> event, CallListener callListener) {
        long id = callIds.incrementAndGet();
        calls.put(id, callListener);
        post(new Mail(null, null, event.apply(id), id, null));
        return id;
    }

    /**
     * Begins a watch or a listening; its id. The listener may be told before this returns.
     *
     * @param callListener told of the first answer of a single watch; null for a listening
     */
    public long watch(LongFunction<SessionEvent> event, @Nullable CallListener callListener, WatchSink watchSink) {
        long id = callIds.incrementAndGet();
        watches.add(id, watchSink);
        if (callListener != null) {
            calls.put(id, callListener);
        }
        post(new Mail(null, event.apply(id), id, null));
        return id;
    }

    /** Ends a watch or a listening; nothing more is told of it, but for what is being told. */
    public void unwatch(long id) {
        watches.remove(id);
        post(new SessionEvent.Unwatch(id));
    }

    /** Watches and listenings that somebody listens to. */
    public int watchCount() {
        return watches.size();
    }

    /** Puts an event that needs no answer into the mailbox. */
    public void post(SessionEvent event) {
        post(new Mail(null, event, 0, null));
    }

    /** Makes the loop look at its clocks now; completed when it has. */
    public CompletableFuture<Boolean> nudge() {
        CompletableFuture<Boolean> handled = new CompletableFuture<>();
        post(new Mail(null, new SessionEvent.Tick(), 0, handled));
        return handled;
    }

    void post(Seat seat, SessionEvent event) {
        post(new Mail(seat, event, 0, null));
    }

    void post(LeaseEvent event) {
        post(new Mail(null, null, event, 0, null));
    }

    private void post(Mail mail) {
        mailbox.add(mail);
        turns.ask();
        if (ended.get()) {
            failAll();
        }
    }

    /** Puts a new session in the place of one that has expired; nothing if the present one has not. */
    public void renewExpired() {
        post(new Mail(null, null, 0, null));
    }

    /** Waits for the loop's end after a {@link SessionEvent.Close}; whether it ended in time. */
    public boolean awaitEnd(long millis) throws InterruptedException {
        return end.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Fails whatever is open, if the loop did not end by itself; nothing if it did. Its thread gets no more turns, but may still be
     * stuck in one.
     */
    public void abandon() {
        endAs("closed; the client's thread did not end in time");
    }

    public boolean hasEnded() {
        return ended.get();
    }

    public boolean isLoopThread() {
        return Thread.currentThread() == turning;
    }

    public SessionSnapshot snapshot() {
        return snapshot;
    }

    /** How the present session's cache is used. */
    public CacheCounts cacheCounts() {
        return snapshot.cache();
    }

    public SleepAwareClock clock() {
        return clock;
    }

    ClientTransport transport() {
        return transport;
    }

    private long run() {
        turning = Thread.currentThread();
        try {
            turn();
            boolean leasesClosed = leases == null || leases.machine.isClosed();
            if (closeAsked && current.machine.state() == SessionState.CLOSED && leasesClosed) {
                end();
            }
            return nanosToNextTurn();
        } catch (RuntimeException | Error e) {
            log.error("the client ends by a bug of its own; its session ends with its lease", e);
            endAs("a bug in the client: " + e);
            return Long.MAX_VALUE;
        } finally {
            turning = null;
        }
    }

    private void end() {
        ended.set(true);
        leave();
    }

    private void leave() {
        turns.stop();
        failAll();
        end.countDown();
    }

    /** Ends without the machine, whose state may not be whole: what it held counts as held no longer, whatever it does yet. */
    private void endAs(String reason) {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            showClosed(reason); // before anybody is told that a call failed
        }
        try {
            if (first) {
                loseLeases(reason);
            }
        } finally {
            leave(); // also if a first end came to nothing: nobody may wait for ever
        }
        if (first) {
            listener.stateChanged(SessionState.CLOSED, reason);
        }
    }

    /** Nothing renews them any more (R7.1). */
    private void loseLeases(String reason) {
        leased.forEach(hold -> {
            if (!hold.isOver()) {
                hold.markLost(reason);
            } else {
                leased.remove(hold); // it is being given back
            }
        });
        for (LeasedHold hold : leased) {
            if (leased.remove(hold)) {
                listener.leaseLost(hold, reason);
            }
        }
    }

    private synchronized void showClosed(String reason) {
        SessionSnapshot last = snapshot;
        last.trust().end();
        snapshot = new SessionSnapshot(
                SessionState.CLOSED,
                reason,
                last.session(),
                last.leaseMillis(),
                last.epoch(),
                last.trust(),
                last.cache());
    }

    private void turn() {
        clock.observe(this::suspendTrust);
        publish();
        for (int i = 0; i < MAX_MAILS_PER_TURN; i++) {
            Mail mail = ended.get() ? null : mailbox.poll();
            if (mail == null) {
                break;
            }
            handle(mail);
            if (mail.handled() != null) {
                mail.handled().complete(true);
            }
        }
        tick(current);
        if (leases != null && clock.nanos() >= leases.machine.nextDeadlineNanos()) {
            leases.on(new LeaseEvent.Tick(), clock.nanos());
        }
        for (Seat seat : new ArrayList<>(retiring)) {
            tick(seat);
            retireFully(seat);
        }
    }

    private void suspendTrust() {
        current.on(new SessionEvent.ClockJump(), clock.nanos());
        if (leases != null) {
            leases.on(new LeaseEvent.ClockJump(), clock.nanos());
        }
    }

    private long nanosToNextTurn() {
        if (!mailbox.isEmpty()) {
            return 0;
        }
        long next = current.machine.nextDeadlineNanos();
        for (Seat seat : retiring) {
            next = Math.min(next, seat.machine.nextDeadlineNanos());
        }
        if (leases != null) {
            next = Math.min(next, leases.machine.nextDeadlineNanos());
        }
        boolean idle = next == Long.MAX_VALUE && current.machine.session() == null;
        long now = clock.nanos();
        return idle || ended.get() ? Long.MAX_VALUE : Math.max(now, Math.min(next, now + MAX_SLEEP_NANOS)) - now;
    }

    private void handle(Mail mail) {
        LeaseEvent lease = mail.lease();
        if (lease != null) {
            onLease(lease);
            return;
        }
        SessionEvent event = mail.event();
        if (event == null) {
            replaceExpired();
            return;
        }
        closeAsked |= event instanceof SessionEvent.Close;
        Seat addressed = mail.seat();
        Seat seat = addressed == null ? current : addressed;
        seat.on(event, clock.nanos());
        if (addressed == null && (event instanceof SessionEvent.Cancel || event instanceof SessionEvent.Close)) {
            retiring.forEach(other -> other.on(event, clock.nanos()));
        }
        if (addressed == null) {
            alsoForLeases(event);
        }
        publish();
    }

    private void onLease(LeaseEvent event) {
        if (leases == null) {
            leases = new LeaseSeat(config, random, this);
            if (closeAsked) {
                leases.on(new LeaseEvent.Close(0), clock.nanos());
            }
        }
        leases.on(event, clock.nanos());
        if (event instanceof LeaseEvent.Release release) {
            leased.remove(release.hold());
        }
    }

    private void alsoForLeases(SessionEvent event) {
        if (leases != null && event instanceof SessionEvent.Cancel cancel) {
            leases.on(new LeaseEvent.Cancel(cancel.callId()), clock.nanos());
        } else if (leases != null && event instanceof SessionEvent.Tick) {
            leases.on(new LeaseEvent.Tick(), clock.nanos());
        } else if (leases != null && event instanceof SessionEvent.Close close) {
            leases.on(new LeaseEvent.Close(close.timeoutNanos()), clock.nanos());
        }
    }

    private void tick(Seat seat) {
        long now = clock.nanos();
        if (now >= seat.machine.nextDeadlineNanos()) {
            seat.on(new SessionEvent.Tick(), now);
            publish();
        }
    }

    private void replaceExpired() {
        if (current.machine.state() != SessionState.EXPIRED || closeAsked) {
            return;
        }
        retiring.add(current);
        current = new Seat(config, random, this);
        publish();
        listener.stateChanged(SessionState.CONNECTING, "the application asked for a new session");
    }

    private void retireFully(Seat seat) {
        if (seat.machine.openCalls() == 0) {
            seat.on(new SessionEvent.Close(0), clock.nanos());
        }
        if (seat.machine.state() == SessionState.CLOSED) {
            retiring.remove(seat);
        }
    }

    /** Called by a seat: what its machine has to say to the application. */
    void tell(Seat seat, SessionAction action) {
        if (ended.get()) {
            return; // abandoned in the middle of a turn: everybody was told
        }
        if (action instanceof SessionAction.Granted granted) {
            answer(granted.callId(), call -> call.granted(granted.hold()));
        } else if (action instanceof SessionAction.Complete complete) {
            answer(complete.callId(), call -> call.completed(complete.outcome()));
        } else if (action instanceof SessionAction.Answered answered) {
            answer(answered.callId(), call -> call.answered(answered.answer()));
        } else if (action instanceof SessionAction.Watching watching) {
            answer(watching.callId(), call -> call.answered(watching.answer()));
        } else if (action instanceof SessionAction.Fail fail) {
            watches.remove(fail.callId());
            answer(fail.callId(), call -> call.failed(fail.failure()));
        } else if (action instanceof SessionAction.HoldLost lost) {
            listener.holdLost(lost.hold(), lost.reason());
        } else if (action instanceof SessionAction.AwaitTold await) {
            listener.whenTold(await.holds(), await.session(), () -> post(seat, new SessionEvent.Told(await.number())));
        } else if (action instanceof SessionAction.StateChanged changed && seat == current) {
            publish();
            log.debug("session {} is {}: {}", snapshot.session(), changed.state(), changed.reason());
            listener.stateChanged(changed.state(), changed.reason());
        } else {
            watches.tell(action);
        }
    }

    /** Called by the seat of the leased locks. */
    void tellOfLease(SessionAction action) {
        if (ended.get()) {
            return;
        }
        if (action instanceof SessionAction.LeaseGranted granted) {
            leased.add(granted.hold());
            answer(granted.callId(), call -> call.leased(granted.hold()));
        } else if (action instanceof SessionAction.Complete complete) {
            answer(complete.callId(), call -> call.completed(complete.outcome()));
        } else if (action instanceof SessionAction.Fail fail) {
            answer(fail.callId(), call -> call.failed(fail.failure()));
        } else if (action instanceof SessionAction.LeaseLost lost && leased.remove(lost.hold())) {
            listener.leaseLost(lost.hold(), lost.reason());
        }
    }

    private void answer(long callId, Consumer<CallListener> tell) {
        CallListener found = calls.remove(callId);
        if (found != null) {
            tell.accept(found);
        } else if (!ended.get()) { // else it was told of the end meanwhile
            throw new IllegalStateException("broken invariant: call " + callId + " was answered twice");
        }
    }

    private synchronized void publish() {
        if (ended.get()) {
            return; // what was published at the end is final
        }
        SessionSnapshot old = snapshot;
        boolean same = old.trust() == current.machine.trust()
                && old.state() == current.machine.state()
                && old.epoch() == current.machine.epoch()
                && Objects.equals(old.session(), current.machine.session());
        if (!same) {
            snapshot = snapshotOf(current);
        }
    }

    private static SessionSnapshot snapshotOf(Seat seat) {
        return new SessionSnapshot(
                seat.machine.state(),
                seat.machine.stateReason(),
                seat.machine.session(),
                seat.machine.leaseMillis(),
                seat.machine.epoch(),
                seat.machine.trust(),
                seat.machine.cacheCounts());
    }

    /** After the end, whoever comes late fails everything that is left. */
    private void failAll() {
        for (Mail mail = mailbox.poll(); mail != null; mail = mailbox.poll()) {
            if (mail.handled() != null) {
                mail.handled().complete(false);
            }
            fail(mail.callId(), NOT_DONE); // nobody but this thread has the mail, and so nobody sent the call
        }
        List.copyOf(calls.keySet()).forEach(id -> fail(id, MAYBE_DONE));
        watches.endAll(NOT_DONE);
    }

    private void fail(long callId, Failure failure) {
        CallListener left = calls.remove(callId);
        if (left != null) {
            left.failed(failure);
        }
    }
}
