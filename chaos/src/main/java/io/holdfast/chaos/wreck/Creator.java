package io.holdfast.chaos.wreck;

import io.holdfast.client.BadVersionException;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.PutResult;
import io.holdfast.client.session.SessionState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Creates values under names of its own that nobody deletes, many at a time: each that was acknowledged must be there at the end
 * (C08), and none may be refused as existing, as it is applied at most once (R2.7).
 *
 * <p><b>Thread:</b> its own; answers come on the client's.
 */
final class Creator implements Runnable, AutoCloseable {
    private static final int IN_FLIGHT = 16;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final long PAUSE_MILLIS = 4;

    private final String parent;
    private final HoldfastClient client;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong appliedTwice = new AtomicLong();
    /** Guarded by itself: names that were acknowledged. */
    private final Set<String> acknowledged = new TreeSet<>();

    private volatile boolean finished;

    Creator(String endpoints, int number) {
        this.parent = "/wreck/created/" + number;
        this.client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(endpoints)
                .clientName("creator" + number)
                .callTimeout(CALL_TIMEOUT)
                .build();
        var unused = client.onState(change -> {
            if (change.state() == SessionState.EXPIRED) {
                client.newSession();
            }
        });
    }

    void finish() {
        finished = true;
    }

    String parent() {
        return parent;
    }

    /** Names below {@link #parent} whose creation was acknowledged. */
    Set<String> acknowledged() {
        synchronized (acknowledged) {
            return new TreeSet<>(acknowledged);
        }
    }

    /** Creations whose fate the client could not tell. */
    long unknown() {
        return unknown.get();
    }

    long appliedTwice() {
        return appliedTwice.get();
    }

    @Override
    public void run() {
        try {
            for (long next = 0; !finished; next++) {
                if (!free.tryAcquire(CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                    continue;
                }
                String name = "n" + next;
                byte[] value = name.getBytes(StandardCharsets.UTF_8);
                create(name, value);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            free.tryAcquire(IN_FLIGHT, CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void create(String name, byte[] value) {
        try {
            var unused = client.values()
                    .createAsync(parent + "/" + name, value)
                    .whenComplete((made, failure) -> answered(name, made, failure));
        } catch (HoldfastException refused) {
            answered(name, null, refused); // at once: the session has ended, or too much waits
        }
    }

    private void answered(String name, @Nullable PutResult made, @Nullable Throwable failure) {
        free.release();
        if (made != null) {
            synchronized (acknowledged) {
                acknowledged.add(name);
            }
            return;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof BadVersionException) {
            appliedTwice.incrementAndGet();
        } else if (cause instanceof HoldfastException refused
                && refused.outcome() == HoldfastException.Outcome.UNKNOWN) {
            unknown.incrementAndGet();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
