package io.holdfast.bench.leases;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.Latencies;
import io.holdfast.bench.load.ServerCpu;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Callers that acquire and release, each on names of its own; so many pairs a second whatever the service does, or each again as
 * soon as it is done. At a rate an acquire counts from when it was due, also while it waits for a caller.
 *
 * <p><b>Thread:</b> one begins; answers come on the HTTP client's.
 */
final class Pairs {
    private static final long LEASE_MILLIS = 10_000;
    private static final long NAP_NANOS = 200_000;
    private static final long END_SECONDS = 60;
    private static final long POLL_MILLIS = 10;

    private final LeaseCalls calls;
    private final int names;
    private final int rate;
    /** Begins no more than so many. */
    private final long atMost;

    private final int warmupSeconds;
    private final int seconds;
    private final String pids;
    private final LinkedBlockingQueue<Caller> idle = new LinkedBlockingQueue<>();
    private final AtomicInteger busy = new AtomicInteger();
    private final Latencies acquires = new Latencies();
    private final Latencies releases = new Latencies();
    private final Tally errors = new Tally();
    private final AtomicLong tokenFaults = new AtomicLong();
    private volatile boolean counting;
    private volatile boolean stopped;

    Pairs(LeaseCalls calls, Fields request) {
        this.calls = calls;
        this.names = request.integer("names");
        this.rate = request.integer("rate");
        this.atMost = request.number("atMost");
        this.warmupSeconds = request.integer("warmup");
        this.seconds = request.integer("seconds");
        this.pids = request.text("pids");
        for (int i = 0; i < request.integer("callers"); i++) {
            idle.add(new Caller(i));
        }
    }

    Fields run() throws InterruptedException {
        long start = System.nanoTime();
        long from = start + TimeUnit.SECONDS.toNanos(warmupSeconds);
        long until = from + TimeUnit.SECONDS.toNanos(seconds);
        ServerCpu cpu = new ServerCpu(pids);
        long beginCpu = 0;
        for (long next = 0; next < atMost; next++) {
            long due = rate == 0 ? System.nanoTime() : awaitDue(start + next * 1_000_000_000L / rate);
            if (!counting && due >= from) {
                beginCpu = cpu.nanos();
                errors.reset();
                counting = true;
            }
            if (due >= until) {
                break;
            }
            Caller caller = idle.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (caller == null) {
                break; // all of them wait until the end
            }
            busy.incrementAndGet();
            caller.begin(rate == 0 ? System.nanoTime() : due);
        }
        if (System.nanoTime() < until) {
            awaitAnswers(); // all that were asked for, and so all of them count
        }
        counting = false;
        stopped = true;
        long cpuNanos = cpu.nanos() - beginCpu;
        awaitAnswers();
        return figures(cpuNanos);
    }

    private void awaitAnswers() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (busy.get() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static long awaitDue(long due) {
        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
            LockSupport.parkNanos(Math.min(NAP_NANOS, due - now));
        }
        return due;
    }

    private Fields figures(long cpuNanos) {
        return new Fields("")
                .with("pairs", releases.count())
                .with("perSecond", (double) releases.count() / seconds)
                .with("p50Nanos", acquires.nanosAt(50))
                .with("p99Nanos", acquires.nanosAt(99))
                .with("p999Nanos", acquires.nanosAt(99.9))
                .with("maxNanos", acquires.maxNanos())
                .with("releaseP50Nanos", releases.nanosAt(50))
                .with("releaseP99Nanos", releases.nanosAt(99))
                .with("unanswered", busy.get())
                .with("tokenFaults", tokenFaults.get())
                .with("errors", errors.count())
                .with("firstError", errors.first())
                .with("cpuCores", cpuNanos / (seconds * 1e9));
    }

    /** One at a time uses it. */
    private final class Caller {
        private final int number;
        private final String owner;
        private final long[] newest = new long[names];
        private int next;

        Caller(int number) {
            this.number = number;
            this.owner = "caller-" + number;
        }

        void begin(long since) {
            int slot = next;
            next = (next + 1) % names;
            String name = "bench/" + number + "/" + slot;
            calls.acquire(number, name, owner, LEASE_MILLIS)
                    .whenComplete((answer, failure) -> acquired(slot, name, since, answer, failure));
        }

        private void acquired(
                int slot, String name, long since, LeaseCalls.@Nullable Answer answer, @Nullable Throwable failure) {
            long now = System.nanoTime();
            if (answer == null || answer.status() != LeaseCalls.OK) {
                errors.add("acquire " + name, answer, failure);
                done();
                return;
            }
            if (counting) {
                acquires.record(now - since);
            }
            long token = answer.token();
            if (token <= newest[slot]) {
                tokenFaults.incrementAndGet();
            }
            newest[slot] = token;
            calls.release(number, name, owner, token)
                    .whenComplete((released, problem) -> released(name, now, released, problem));
        }

        private void released(
                String name, long since, LeaseCalls.@Nullable Answer answer, @Nullable Throwable failure) {
            if (answer == null || answer.status() != LeaseCalls.OK) {
                errors.add("release " + name, answer, failure);
            } else if (counting) {
                releases.record(System.nanoTime() - since);
            }
            done();
        }

        private void done() {
            busy.decrementAndGet();
            if (!stopped) {
                idle.add(this);
            }
        }
    }
}
