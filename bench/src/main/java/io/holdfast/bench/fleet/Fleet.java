package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.FirstError;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.grpc.NetworkThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * This JVM's sessions, each a client of its own with a connection of its own, on few threads for all of them.
 *
 * <p><b>Thread:</b> requests one; what callbacks tell any.
 */
final class Fleet {
    private static final int NETWORK_THREADS = 2;
    private static final int CALLBACK_THREADS = 2;
    private static final int CLOSERS = 64;
    /** Opening a whole fleet takes a while, and calls wait for it. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 5;
    private static final long CLOSED_NANOS = 20_000_000_000L;

    private final String endpoints;
    private final String name;
    private final NetworkThreads network = NetworkThreads.shared(NETWORK_THREADS);
    private final ExecutorService callbacks = Executors.newFixedThreadPool(CALLBACK_THREADS, Fleet::daemon);
    private List<FleetSession> sessions = List.of();

    private final AtomicInteger safe = new AtomicInteger();
    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger jeopardies = new AtomicInteger();
    private final AtomicInteger expiries = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final FirstError firstProblem = new FirstError();
    /** When the newest of them became safe or got its lock. */
    private final AtomicLong lastReadyNanos = new AtomicLong();

    Fleet(String endpoints, String name) {
        this.endpoints = endpoints;
        this.name = name;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "fleet-callbacks");
        thread.setDaemon(true);
        return thread;
    }

    List<FleetSession> sessions() {
        return sessions;
    }

    /**
     * Opens {@code sessions}, at most {@code atOnce} of them under way; returns when all are safe, and hold a lock each if {@code
     * hold} is 1, or after {@code within} seconds.
     */
    Fields open(Fields request) throws InterruptedException {
        int count = request.integer("sessions");
        int atOnce = request.integer("atOnce");
        boolean hold = request.integer("hold") == 1;
        long cacheBytes = request.number("cacheBytes");
        jeopardies.set(0);
        expiries.set(0);
        failures.set(0);
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(request.integer("within"));
        List<FleetSession> opening = new ArrayList<>(count);
        while ((opening.size() < count || !isReady(count, hold)) && System.nanoTime() < end && expiries.get() == 0) {
            if (opening.size() < count && opening.size() - safe.get() < atOnce) {
                FleetSession session = session(opening.size(), cacheBytes);
                opening.add(session);
                session.open(hold);
            } else {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        sessions = opening;
        return check().with("nanos", lastReadyNanos.get() - begin);
    }

    private boolean isReady(int count, boolean hold) {
        return safe.get() == count && (!hold || holding.get() == count);
    }

    private FleetSession session(int number, long cacheBytes) {
        TrackedTransport transport = new TrackedTransport(network.transport());
        HoldfastClient client = HoldfastClient.builder()
                .cache(cacheBytes)
                .endpoints(endpoints)
                .clientName("fleet-" + name + "-" + number)
                .callTimeout(CALL_TIMEOUT)
                .callbackExecutor(callbacks)
                .transport(() -> transport)
                .build();
        return new FleetSession(this, "/fleet/locks/" + name + "/" + number, transport, client);
    }

    /** How they are, and what happened since they were opened. */
    Fields check() {
        return new Fields("")
                .with("sessions", sessions.size())
                .with("safe", safe.get())
                .with("holding", holding.get())
                .with(
                        "lost",
                        sessions.stream().filter(session -> !session.holdsOn()).count())
                .with("jeopardies", jeopardies.get())
                .with("expiries", expiries.get())
                .with("failures", failures.get())
                .with("problem", firstProblem.word());
    }

    /** Closes all of them, several at a time. */
    Fields close(Fields request) throws InterruptedException {
        long begin = System.nanoTime();
        ExecutorService closers = Executors.newFixedThreadPool(CLOSERS, Fleet::daemon);
        sessions.forEach(session -> closers.execute(session::close));
        closers.shutdown();
        if (!closers.awaitTermination(request.integer("within"), TimeUnit.SECONDS)) {
            throw new IllegalStateException("closing " + sessions.size() + " sessions took too long");
        }
        for (long end = System.nanoTime() + CLOSED_NANOS; safe.get() > 0 && System.nanoTime() < end; ) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS); // their last callbacks
        }
        if (safe.get() > 0) {
            throw new IllegalStateException(safe.get() + " sessions that were closed did not say so");
        }
        sessions = List.of();
        holding.set(0);
        return new Fields("").with("nanos", System.nanoTime() - begin);
    }

    /** Remembers which of them are connected to an endpoint. */
    Fields mark(String endpoint) {
        return new Fields("")
                .with(
                        "affected",
                        sessions.stream()
                                .filter(session -> session.mark(endpoint))
                                .count());
    }

    /** Asks the cell something through each of those; until all have an answer, counted from {@code since}. */
    Fields back(Fields request) throws InterruptedException {
        List<FleetSession> affected =
                sessions.stream().filter(FleetSession::isAffected).toList();
        long since = request.number("since");
        AtomicLong lastNanos = new AtomicLong(since);
        CountDownLatch left = new CountDownLatch(affected.size());
        for (FleetSession session : affected) {
            var unused = session.client().values().getAsync(FleetSession.FLAG).whenComplete((value, failure) -> {
                if (failure == null) {
                    lastNanos.accumulateAndGet(System.nanoTime(), Math::max);
                } else {
                    failed("a read", failure);
                }
                left.countDown();
            });
        }
        boolean all = left.await(request.integer("within"), TimeUnit.SECONDS);
        return check().with("affected", affected.size())
                .with("silent", all ? 0 : left.getCount())
                .with("backNanos", lastNanos.get() - since);
    }

    // ---- what sessions tell

    void safeChanged(boolean nowSafe) {
        safe.addAndGet(nowSafe ? 1 : -1);
        ready();
    }

    void held() {
        holding.incrementAndGet();
        ready();
    }

    private void ready() {
        lastReadyNanos.accumulateAndGet(System.nanoTime(), Math::max);
    }

    void inJeopardy() {
        jeopardies.incrementAndGet();
    }

    void expired(String reason) {
        expiries.incrementAndGet();
        firstProblem.offer("expired: " + reason);
    }

    void failed(String what, Throwable failure) {
        failures.incrementAndGet();
        firstProblem.offer(what + ": " + failure);
    }
}
