package io.holdfast.bench.load;

import io.holdfast.bench.driver.CallerLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that hold a lock each, and callers that acquire and release names of their own all the time, while something happens
 * to the leader.
 */
final class Failover implements AutoCloseable {
    private static final long POLL_MILLIS = 20;

    private final Target target;
    private final List<CallerLock> held = new ArrayList<>();
    private final List<Prober> probers = new ArrayList<>();
    private Target.@Nullable Sessions holders;
    private Target.@Nullable Sessions callers;

    Failover(Target target) {
        this.target = target;
    }

    /** Takes {@code holders} locks in sessions of their own, then starts {@code callers}, each with its own session. */
    Fields open(Fields request) throws Exception {
        int count = request.integer("holders");
        Target.Sessions holding = target.open(count);
        holders = holding;
        for (int i = 0; i < count; i++) {
            CallerLock lock = holding.of(i).lock(target.freshName("held"));
            lock.acquire();
            held.add(lock);
        }
        Target.Sessions calling = target.open(request.integer("callers"));
        callers = calling;
        for (int i = 0; i < request.integer("callers"); i++) {
            Prober prober = new Prober(calling.of(i).lock(target.freshName("probe")));
            probers.add(prober);
            prober.start();
        }
        return new Fields("").with("held", held.size());
    }

    /** From here on acquires are kept for {@link #after}. */
    Fields mark() {
        probers.forEach(Prober::mark);
        return new Fields("");
    }

    /**
     * Waits until every caller has done an acquire that it began after {@code nanos} (monotonic), then looks at what is held.
     */
    Fields after(Fields request) throws Exception {
        long event = request.number("nanos");
        long deadline = event + TimeUnit.SECONDS.toNanos(request.number("within"));
        while (probers.stream().anyMatch(prober -> prober.nextAfter(event) < 0)) {
            if (System.nanoTime() - deadline > 0) {
                break;
            }
            Thread.sleep(POLL_MILLIS);
        }
        List<Long> next =
                probers.stream().map(prober -> prober.nextAfter(event)).sorted().toList();
        if (next.get(0) < 0) {
            throw new IllegalStateException("a caller had no acquire within " + request.number("within") + " s");
        }
        return new Fields("")
                .with("firstNanos", next.get(0))
                .with("medianNanos", next.get(next.size() / 2))
                .with("allNanos", next.get(next.size() - 1))
                .with("silenceNanos", silence(event, event + next.get(next.size() - 1)))
                .with("held", held.size())
                .with("lost", lost())
                .with(
                        "errors",
                        probers.stream()
                                .mapToLong(prober -> prober.errors.get())
                                .sum())
                .with(
                        "tokenFaults",
                        probers.stream()
                                .mapToLong(prober -> prober.tokenFaults.get())
                                .sum());
    }

    /** The longest time in which no caller's acquire returned. */
    private long silence(long from, long until) {
        long[] ends = probers.stream()
                .flatMapToLong(prober -> prober.endsBetween(from, until))
                .sorted()
                .toArray();
        long longest = 0;
        long last = from;
        for (long end : ends) {
            longest = Math.max(longest, end - last);
            last = end;
        }
        return longest;
    }

    private long lost() {
        long lost = 0;
        for (CallerLock lock : held) {
            try {
                lost += lock.stillHeld() ? 0 : 1;
            } catch (Exception failed) {
                System.err.println("a hold cannot be confirmed: " + failed);
                lost++;
            }
        }
        return lost;
    }

    @Override
    public void close() {
        probers.forEach(Prober::halt);
        if (callers != null) {
            callers.close();
        }
        if (holders != null) {
            holders.close();
        }
    }

    private record Acquire(long beginNanos, long endNanos) {}

    /** One caller. */
    private static final class Prober {
        private final CallerLock lock;
        private final Thread thread;
        private final AtomicLong errors = new AtomicLong();
        private final AtomicLong tokenFaults = new AtomicLong();
        /** Guarded by itself; since the last mark. */
        private final List<Acquire> acquires = new ArrayList<>();

        private volatile boolean halted;
        private long lastToken;

        Prober(CallerLock lock) {
            this.lock = lock;
            this.thread = new Thread(this::loop, "prober");
            thread.setDaemon(true);
        }

        void start() {
            thread.start();
        }

        private void loop() {
            while (!halted) {
                try {
                    once();
                    Thread.sleep(1);
                } catch (InterruptedException ended) {
                    return;
                } catch (Exception failed) {
                    errors.incrementAndGet();
                    System.err.println("caller: " + failed);
                }
            }
        }

        private void once() throws Exception {
            long begin = System.nanoTime();
            lock.acquire();
            long end = System.nanoTime();
            synchronized (acquires) {
                acquires.add(new Acquire(begin, end));
            }
            long token = lock.token();
            if (token != 0 && token <= lastToken) {
                tokenFaults.incrementAndGet();
            }
            lastToken = token;
            lock.release();
        }

        void mark() {
            synchronized (acquires) {
                acquires.clear();
            }
        }

        /** How long after the event its first acquire begun since then returned; negative if none has. */
        long nextAfter(long eventNanos) {
            synchronized (acquires) {
                return acquires.stream()
                        .filter(acquire -> acquire.beginNanos() >= eventNanos)
                        .mapToLong(acquire -> acquire.endNanos() - eventNanos)
                        .findFirst()
                        .orElse(-1);
            }
        }

        LongStream endsBetween(long from, long until) {
            synchronized (acquires) {
                return acquires.stream()
                        .mapToLong(Acquire::endNanos)
                        .filter(end -> end >= from && end <= until)
                        .boxed()
                        .toList()
                        .stream()
                        .mapToLong(Long::longValue);
            }
        }

        void halt() {
            halted = true;
            thread.interrupt();
        }
    }
}
