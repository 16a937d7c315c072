package io.holdfast.chaos.wreck;

import io.holdfast.chaos.history.History.Grant;
import io.holdfast.chaos.history.History.Held;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import io.holdfast.client.session.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that take and give back a few locks all the time, each with a session of its own, and remember every grant.
 *
 * <p><b>Thread:</b> each caller has its own; the rest is for any.
 */
final class Callers implements AutoCloseable {
    private static final int LOCKS = 4;
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final long PAUSE_MILLIS = 5;

    private final List<Caller> callers = new ArrayList<>();
    private final AtomicInteger sessionsEnded = new AtomicInteger();
    /** Guarded by this. */
    private final List<Grant> grants = new ArrayList<>();
    /** Guarded by this. */
    private final List<Held> beliefs = new ArrayList<>();

    Callers(String endpoints, int count) {
        for (int i = 0; i < count; i++) {
            callers.add(new Caller("caller" + i, "/wreck/lock/" + i % LOCKS, endpoints));
        }
    }

    List<Runnable> tasks() {
        return List.copyOf(callers);
    }

    void finish() {
        callers.forEach(caller -> caller.finished = true);
    }

    int sessionsEnded() {
        return sessionsEnded.get();
    }

    synchronized List<Grant> grants() {
        return List.copyOf(grants);
    }

    /** When each hold was believed in: once after the grant, once before the release. */
    synchronized List<Held> beliefs() {
        return List.copyOf(beliefs);
    }

    private synchronized void granted(Grant grant) {
        grants.add(grant);
        notifyAll();
    }

    private synchronized void believed(Held sample) {
        beliefs.add(sample);
    }

    /** Waits for a grant that was asked for after a moment; empty if there is none in time. */
    synchronized Optional<Grant> awaitGrant(long invokedAfterNanos, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            for (int i = grants.size() - 1; i >= 0 && grants.get(i).returnedNanos() >= invokedAfterNanos; i--) {
                if (grants.get(i).invokedNanos() >= invokedAfterNanos) {
                    return first(invokedAfterNanos);
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
    }

    private Optional<Grant> first(long invokedAfterNanos) {
        return grants.stream()
                .filter(grant -> grant.invokedNanos() >= invokedAfterNanos)
                .findFirst();
    }

    /** Grants that were asked for and answered between two moments. */
    synchronized long grantsWithin(long fromNanos, long untilNanos) {
        return grants.stream()
                .filter(grant -> grant.invokedNanos() >= fromNanos && grant.returnedNanos() <= untilNanos)
                .count();
    }

    @Override
    public void close() {
        callers.forEach(caller -> caller.client.close());
    }

    private final class Caller implements Runnable {
        private final String name;
        private final String path;
        private final HoldfastClient client;
        private volatile boolean finished;

        Caller(String name, String path, String endpoints) {
            this.name = name;
            this.path = path;
            this.client = HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(endpoints)
                    .clientName(name)
                    .callTimeout(WAIT)
                    .build();
            var unused = client.onState(change -> {
                if (change.state() == SessionState.EXPIRED) {
                    sessionsEnded.incrementAndGet();
                    client.newSession();
                }
            });
        }

        @Override
        public void run() {
            while (!finished) {
                try {
                    once();
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                } catch (HoldfastException noAnswer) {
                    // There is no leader, or no majority.
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
        }

        private void once() throws InterruptedException {
            long invoked = System.nanoTime();
            Optional<LockHold> taken = client.lock(path).acquire(WAIT);
            if (taken.isEmpty()) {
                return;
            }
            try (LockHold hold = taken.get()) {
                long token = hold.token().value();
                granted(new Grant(name, path, token, false, invoked, System.nanoTime()));
                for (int sample = 0; sample < 2; sample++) {
                    long before = System.nanoTime();
                    if (hold.isHeld()) {
                        believed(new Held(name, path, token, false, before, System.nanoTime()));
                    }
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            }
        }
    }
}
