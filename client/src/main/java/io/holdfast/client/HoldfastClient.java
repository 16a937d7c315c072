package io.holdfast.client;

import io.holdfast.client.loop.ClientClock;
import io.holdfast.client.loop.ClientLoop;
import io.holdfast.client.loop.SessionSnapshot;
import io.holdfast.client.session.CacheCounts;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.model.SessionId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one cell, with one session.
 *
 * <pre>{@code
 * try (HoldfastClient client = HoldfastClient.connect("127.0.0.1:7420")) {
 *     try (LockHold hold = client.lock("/jobs/reindex").acquire()) {
 *         orders.update(row, hold.token());   // the resource refuses a lower token
 *         hold.ensureHeld();                  // throws when in jeopardy or lost
 *     }
 * }
 * }</pre>
 *
 * <p>The session is opened by the first call that needs one: an acquire or a write. Reads and operators' questions need none.
 * Once {@link SessionState#EXPIRED}, all that it held is gone for ever and calls that need a session throw
 * {@link SessionExpiredException} until the application asks for {@link #newSession}.
 *
 * <p><b>Thread:</b> any, also the threads that call listeners. Blocking calls from a listener work; they must not be made on the
 * client's own threads, which never call the application.
 */
public final class HoldfastClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HoldfastClient.class);
    /** For the loop to end after the close timeout. */
    private static final long END_MARGIN_MILLIS = 1_000;

    private final ClientTransport transport;
    private final Callbacks callbacks;
    private final ClientLoop loop;
    final CallDesk desk;
    private final HoldRegistry registry = new HoldRegistry();
    private final StateBoard states;
    private final Duration closeTimeout;
    private final Object closing = new Object();
    /** Guarded by {@link #closing}. */
    private boolean closed;

    record Timeouts(Duration call, Duration close) {}

    HoldfastClient(
            SessionConfig config,
            ClientTransport transport,
            ClientClock clock,
            Callbacks callbacks,
            Timeouts timeouts) {
        SecureRandom random = new SecureRandom();
        this.transport = transport;
        this.callbacks = callbacks;
        this.closeTimeout = timeouts.close();
        this.states = new StateBoard(callbacks, registry);
        ClientLoop.Sources sources = new ClientLoop.Sources(clock, bound -> Math.floorMod(random.nextLong(), bound));
        this.loop = new ClientLoop(config, transport, sources, states);
        this.desk = new CallDesk(loop, callbacks, timeouts.call());
        loop.start();
    }

    /**
     * A client with default settings.
     *
     * @param endpoints {@code host}, {@code host:port} or {@code [IPv6]:port}, separated by commas
     * @throws RefusedException if they cannot be read
     */
    public static HoldfastClient connect(String endpoints) {
        return builder().endpoints(endpoints).build();
    }

    public static HoldfastClientBuilder builder() {
        return new HoldfastClientBuilder();
    }

    /**
     * The lock at a path.
     *
     * @throws RefusedException if the path is bad
     */
    public LockRecipe lock(String path) {
        return new LockRecipe(desk, registry, Paths.parse(path));
    }

    /**
     * Several locks at once, all or none, taken in the order of their paths.
     *
     * @throws RefusedException if there are none, too many, or one of them twice
     */
    public MultiLockRecipe locks(LockRecipe... locks) {
        return new MultiLockRecipe(
                desk, registry, Stream.of(locks).map(LockRecipe::spec).toList());
    }

    /**
     * The semaphore at a path.
     *
     * @param permits how many may be held at a time, 1 to 1,000,000; the same in all that use it
     * @throws RefusedException if the path or the number is bad
     */
    public SemaphoreRecipe semaphore(String path, int permits) {
        return new SemaphoreRecipe(desk, registry, Paths.parse(path), permits);
    }

    /**
     * The election at a path.
     *
     * @throws RefusedException if the path is bad
     */
    public Election election(String path) {
        return new Election(desk, registry, Paths.parse(path));
    }

    /**
     * The group at a path.
     *
     * @throws RefusedException if the path is bad
     */
    public Group group(String path) {
        return new Group(desk, registry, Paths.parse(path));
    }

    /**
     * The double barrier at a path.
     *
     * @param members how many begin and end together, 1 to 100; the same in all that use it
     * @throws RefusedException if the path or the number is bad
     */
    public DoubleBarrier doubleBarrier(String path, int members) {
        return new DoubleBarrier(desk, registry, Paths.parse(path), members);
    }

    public Values values() {
        return new Values(desk, true);
    }

    /** Leased locks: no session, no queue, a token with each grant. */
    public Leases leases() {
        return new Leases(desk);
    }

    public Admin admin() {
        return new Admin(desk);
    }

    /** Makes the loop look at its clocks; for tests that move them. Returns when it has, and has heard what came of it. */
    void wake() {
        boolean runs = loop.nudge().join();
        if (runs) {
            loop.nudge().join();
        }
    }

    /** The session's state at this moment, judged on the clock that counts sleep. */
    public SessionState state() {
        SessionSnapshot now = loop.snapshot();
        return now.state() == SessionState.SAFE && !isSafe(now) ? SessionState.JEOPARDY : now.state();
    }

    private boolean isSafe(SessionSnapshot session) {
        return !loop.clock().hasJumped() && session.trust().safeAt(loop.clock().nanos());
    }

    /**
     * Tells every change of the session's state, in order, on the callback executor; first the present one.
     */
    public Subscription onState(StateListener listener) {
        return states.subscribe(Objects.requireNonNull(listener, "listener"));
    }

    /** The present session; empty until it is open. */
    public Optional<SessionView> session() {
        SessionSnapshot now = loop.snapshot();
        SessionId id = now.session();
        if (id == null) {
            return Optional.empty();
        }
        long remaining = isSafe(now) ? now.trust().remainingNanosAt(loop.clock().nanos()) : 0;
        return Optional.of(new SessionView(
                id, state(), Duration.ofMillis(now.leaseMillis()), Duration.ofNanos(remaining), now.epoch()));
    }

    /** How the cache of values is used; all zero without one. */
    public CacheStats cacheStats() {
        CacheCounts counts = loop.cacheCounts();
        return new CacheStats(counts.hits(), counts.misses(), counts.invalidations(), counts.entries(), counts.bytes());
    }

    /**
     * Puts a new session in the place of one that is EXPIRED; it is opened by the first call that needs it. What the old one held
     * stays lost. Does nothing if the present session has not expired.
     */
    public void newSession() {
        loop.renewExpired();
    }

    /**
     * Releases all that is held, closes the session and ends the client's threads. Waits for the cell's confirmation at most the
     * close timeout; without it the session ends with its lease. Repeating it does nothing.
     */
    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
            loop.post(new SessionEvent.Close(Durations.toNanos(closeTimeout)));
            boolean interrupted = awaitLoop();
            transport.close();
            loop.abandon(); // its thread is gone now, and nobody may wait for ever
            callbacks.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Bounded, and not cut short by an interrupt, so that the session is closed; whether there was one. */
    private boolean awaitLoop() {
        long end =
                System.nanoTime() + Durations.toNanos(closeTimeout) + TimeUnit.MILLISECONDS.toNanos(END_MARGIN_MILLIS);
        boolean interrupted = false;
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            try {
                if (left <= 0 || loop.awaitEnd(left)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (!loop.hasEnded()) {
            log.warn("the client's thread did not end in time");
        }
        return interrupted;
    }
}
