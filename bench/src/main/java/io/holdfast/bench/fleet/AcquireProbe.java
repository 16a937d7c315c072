package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.FirstError;
import io.holdfast.bench.load.Latencies;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers beside the fleet: each takes a lock of its own and lets it go, so many times a second whatever the service does. What an
 * acquire takes counts from when it was due, so a stall is seen by all that should have come meanwhile.
 *
 * <p><b>Thread:</b> requests one.
 */
final class AcquireProbe {
    private static final long PERIOD_NANOS = 100_000_000L;
    private static final long END_MILLIS = 20_000;
    private static final long READY_SECONDS = 60;

    private final List<HoldfastClient> clients = new ArrayList<>();
    private final List<Thread> callers = new ArrayList<>();
    private final Latencies acquires = new Latencies();
    private final AtomicInteger errors = new AtomicInteger();
    private final FirstError firstError = new FirstError();
    private volatile boolean counting;
    private volatile boolean stopped;

    /** Returns when each caller has had its first lock: from then on they are as many as they should be. */
    AcquireProbe(String endpoints, int count) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            HoldfastClient client = HoldfastClient.builder()
                    .withoutCache() // what is measured is the cell
                    .endpoints(endpoints)
                    .build();
            String lock = "/probe/" + ProcessHandle.current().pid() + "-" + i;
            Thread caller = new Thread(() -> call(client, lock, ready), "caller-" + i);
            caller.setDaemon(true);
            clients.add(client);
            callers.add(caller);
        }
        callers.forEach(Thread::start);
        if (!ready.await(READY_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(ready.getCount() + " callers beside the fleet did not get a first lock");
        }
    }

    private void call(HoldfastClient client, String lock, CountDownLatch ready) {
        try {
            once(client, lock, 0);
            ready.countDown();
            long due = System.nanoTime();
            while (!stopped) {
                due += PERIOD_NANOS;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                once(client, lock, due);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void once(HoldfastClient client, String lock, long due) throws InterruptedException {
        try {
            LockHold hold = client.lock(lock).acquire();
            if (counting) {
                acquires.record(System.nanoTime() - due);
            }
            hold.release();
        } catch (HoldfastException failed) {
            errors.incrementAndGet();
            firstError.offer(failed.toString());
        }
    }

    /** From now on it counts. */
    Fields mark() {
        errors.set(0);
        counting = true;
        return new Fields("");
    }

    Fields end() throws InterruptedException {
        counting = false;
        stopped = true;
        for (Thread caller : callers) {
            caller.join(END_MILLIS);
        }
        clients.forEach(HoldfastClient::close);
        return new Fields("")
                .with("count", acquires.count())
                .with("p50Nanos", acquires.nanosAt(50))
                .with("p99Nanos", acquires.nanosAt(99))
                .with("maxNanos", acquires.maxNanos())
                .with("errors", errors.get())
                .with("firstError", firstError.word());
    }
}
