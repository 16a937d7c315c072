package io.holdfast.chaos.holders;

import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Grant;
import io.holdfast.chaos.history.History.Held;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Waits behind each holder, from where nothing is cut off, and keeps what it is granted: whoever still believes in the hold
 * before is found out.
 *
 * <p><b>Thread:</b> one; samples are taken on another.
 */
public final class Heirs implements AutoCloseable {
    private static final String NAME = "heir";
    private static final long SAMPLE_MILLIS = 20;
    private static final int SESSIONS = 4;
    /** A fail-over with all that lives here on two cores may take longer than a call does by default. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<HoldfastClient> clients = new ArrayList<>();
    private final List<CompletableFuture<LockHold>> waiting = new ArrayList<>();
    private final ConcurrentLinkedQueue<Held> samples = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<LockHold> held = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "heirs");
        thread.setDaemon(true);
        return thread;
    });

    public Heirs(String endpoints) {
        for (int i = 0; i < SESSIONS; i++) {
            clients.add(HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(endpoints)
                    .clientName(NAME + i)
                    .callTimeout(PATIENCE)
                    .build());
        }
        var unused = sampler.scheduleAtFixedRate(this::sample, SAMPLE_MILLIS, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    public void queueFor(String lock) {
        long invoked = System.nanoTime();
        HoldfastClient client = clients.get(waiting.size() % SESSIONS);
        CompletableFuture<LockHold> asked = client.lock(lock).acquireAsync();
        waiting.add(asked);
        var unused = asked.thenAccept(hold -> {
            grants.add(new Grant(NAME, lock, hold.token().value(), false, invoked, System.nanoTime()));
            held.add(hold);
        });
    }

    private void sample() {
        for (LockHold hold : held) {
            long before = System.nanoTime();
            if (hold.isHeld()) {
                samples.add(new Held(NAME, hold.path(), hold.token().value(), false, before, System.nanoTime()));
            }
        }
    }

    /** Acquires that were given up: the cell did not answer for as long as a call may take. */
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (CompletableFuture<LockHold> asked : waiting) {
            if (asked.isCompletedExceptionally()) {
                var unused = asked.exceptionally(problem -> {
                    failures.add(String.valueOf(problem.getMessage()));
                    return null;
                });
            }
        }
        return failures;
    }

    public int granted() {
        return grants.size();
    }

    public void addTo(History history) {
        history.held().addAll(samples);
        history.grants().addAll(grants);
    }

    @Override
    public void close() {
        sampler.shutdownNow();
        waiting.forEach(asked -> asked.cancel(false));
        clients.forEach(HoldfastClient::close);
    }
}
