package io.holdfast.bench.leases;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.Latencies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Very many acquires at once, two owners for each name, through different servers: each is answered, and of each pair exactly one
 * is granted. All count from the one moment in which they are due.
 *
 * <p><b>Thread:</b> one begins; answers come on the HTTP client's.
 */
final class Burst {
    private static final long LEASE_MILLIS = 60_000;

    private final LeaseCalls calls;
    private final int count;
    private final int connections;
    private final int withinSeconds;
    private final String prefix = "burst/" + ProcessHandle.current().pid() + "/";
    private final Latencies latencies = new Latencies();
    private final Tally errors = new Tally();
    private final AtomicInteger refused = new AtomicInteger();
    /** Tokens granted, by the name's number. Guarded by itself. */
    private final Map<Integer, List<Long>> grants = new HashMap<>();

    Burst(LeaseCalls calls, Fields request) {
        this.calls = calls;
        this.count = request.integer("count");
        this.connections = request.integer("connections");
        this.withinSeconds = request.integer("within");
    }

    Fields run() throws InterruptedException {
        Semaphore free = new Semaphore(connections);
        CountDownLatch left = new CountDownLatch(count);
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int number = i % ((count + 1) / 2);
            String owner = "owner-" + (i < (count + 1) / 2 ? "a" : "b");
            int server = i < (count + 1) / 2 ? number : number + 1;
            free.acquire();
            calls.acquire(server, prefix + number, owner, LEASE_MILLIS).whenComplete((answer, failure) -> {
                if (answer != null && answer.status() == LeaseCalls.OK) {
                    latencies.record(System.nanoTime() - begin);
                    granted(number, answer.token());
                } else if (answer != null && answer.status() == LeaseCalls.HELD) {
                    latencies.record(System.nanoTime() - begin);
                    refused.incrementAndGet();
                } else {
                    errors.add("acquire", answer, failure);
                }
                free.release();
                left.countDown();
            });
        }
        boolean all = left.await(withinSeconds, TimeUnit.SECONDS);
        long nanos = System.nanoTime() - begin;
        return judged().with("unanswered", all ? 0 : left.getCount())
                .with("nanos", nanos)
                .with("refused", refused.get())
                .with("p50Nanos", latencies.nanosAt(50))
                .with("p99Nanos", latencies.nanosAt(99))
                .with("maxNanos", latencies.maxNanos())
                .with("errors", errors.count())
                .with("firstError", errors.first());
    }

    private void granted(int number, long token) {
        synchronized (grants) {
            grants.computeIfAbsent(number, unseen -> new ArrayList<>()).add(token);
        }
    }

    /** What was granted, and whether the cell agrees. */
    private Fields judged() {
        Map<Integer, List<Long>> all;
        synchronized (grants) {
            all = new HashMap<>(grants);
        }
        int twice = 0;
        int otherwise = 0;
        for (Map.Entry<Integer, List<Long>> each : all.entrySet()) {
            if (each.getValue().size() > 1) {
                twice++;
            }
            LeaseCalls.Answer record =
                    calls.inspect(each.getKey(), prefix + each.getKey()).join();
            if (record.status() != LeaseCalls.OK
                    || record.token() != each.getValue().get(0)) {
                otherwise++;
            }
        }
        return new Fields("")
                .with("names", (count + 1) / 2)
                .with("granted", all.size())
                .with("twice", twice)
                .with("otherwise", otherwise);
    }
}
