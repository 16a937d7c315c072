package io.holdfast.bench.load;

import io.holdfast.bench.driver.Session;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Creates nodes, each with a name of its own, without waiting for one before the next: either as fast as so many in flight allow
 * (a closed loop), or at a rate (an open loop). In an open loop a create's time counts from when it was due, so a stall is seen by
 * all that should have come meanwhile.
 */
final class Creates {
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIRECTORIES = 64;
    private static final long END_SECONDS = 60;
    private static final long NAP_NANOS = 200_000;

    private final Target.Sessions sessions;
    private final String[] parents = new String[DIRECTORIES];
    private final byte[] value;
    private final int inFlight;
    private final Semaphore free;
    private final ConcurrentHistogram histogram = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private final AtomicLong errors = new AtomicLong();
    private final AtomicReference<String> firstError = new AtomicReference<>("none");
    private final AtomicLongArray perSecond;
    /** Monotonic; what is due or begins before it does not count. */
    private final long fromNanos;

    private final long untilNanos;

    private Creates(Target target, Target.Sessions sessions, Fields request) {
        this.sessions = sessions;
        this.value = new byte[request.integer("bytes")];
        this.inFlight = request.integer("inFlight");
        this.free = new Semaphore(inFlight);
        this.fromNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(request.integer("warmup"));
        this.untilNanos = fromNanos + TimeUnit.SECONDS.toNanos(request.integer("seconds"));
        this.perSecond = new AtomicLongArray(request.integer("seconds"));
        String base = target.freshName("creates");
        for (int i = 0; i < DIRECTORIES; i++) {
            parents[i] = base + "-" + i;
        }
    }

    static Fields run(Target target, Fields request) throws Exception {
        try (Target.Sessions sessions = target.open(request.integer("sessions"))) {
            Creates creates = new Creates(target, sessions, request);
            for (String parent : creates.parents) {
                sessions.of(0).put(parent, new byte[0]);
            }
            return creates.measure(request);
        }
    }

    private Fields measure(Fields request) throws InterruptedException {
        int rate = request.integer("rate");
        ServerCpu cpu = new ServerCpu(request.text("pids"));
        long beginCpu = 0;
        boolean counting = false;
        long start = System.nanoTime();
        long behindNanos = 0;
        for (long next = 0; ; next++) {
            long due = rate == 0 ? 0 : start + next * 1_000_000_000L / rate;
            free.acquire();
            long now = awaitDue(due);
            if (!counting && now >= fromNanos) {
                counting = true;
                beginCpu = cpu.nanos();
            }
            if (now >= untilNanos) {
                free.release();
                break;
            }
            long begin = rate == 0 ? now : due;
            behindNanos = Math.max(behindNanos, now - begin);
            begin(next, begin);
        }
        long cpuNanos = cpu.nanos() - beginCpu;
        if (!free.tryAcquire(inFlight, END_SECONDS, TimeUnit.SECONDS)) {
            failed(new IllegalStateException("creates were not answered within " + END_SECONDS + " s"));
        }
        return figures(request.integer("seconds"), cpuNanos, behindNanos);
    }

    private static long awaitDue(long dueNanos) {
        long now = System.nanoTime();
        while (dueNanos != 0 && now < dueNanos) {
            LockSupport.parkNanos(Math.min(NAP_NANOS, dueNanos - now));
            now = System.nanoTime();
        }
        return now;
    }

    private void begin(long number, long beginNanos) {
        Session session = sessions.of((int) (number % Integer.MAX_VALUE));
        String path = parents[(int) (number % DIRECTORIES)] + "/n" + number;
        var unused = session.create(path, value).whenComplete((done, failure) -> {
            free.release();
            if (failure == null) {
                record(beginNanos, System.nanoTime());
            } else {
                failed(failure);
            }
        });
    }

    private void record(long beginNanos, long endNanos) {
        if (beginNanos < fromNanos) {
            return;
        }
        histogram.recordValue(Math.min(endNanos - beginNanos, HIGHEST_NANOS));
        int second = (int) TimeUnit.NANOSECONDS.toSeconds(endNanos - fromNanos);
        if (second < perSecond.length()) {
            perSecond.incrementAndGet(second);
        }
    }

    private void failed(Throwable failure) {
        errors.incrementAndGet();
        if (firstError.compareAndSet("none", failure.toString().replaceAll("\\s", "_"))) {
            failure.printStackTrace();
        }
    }

    private Fields figures(int seconds, long cpuNanos, long behindNanos) {
        long answered = 0;
        long slowest = Long.MAX_VALUE;
        for (int i = 0; i < perSecond.length(); i++) {
            answered += perSecond.get(i);
            slowest = Math.min(slowest, perSecond.get(i));
        }
        return new Fields("")
                .with("perSecond", (double) answered / seconds)
                .with("slowestSecond", slowest)
                .with("p50Nanos", histogram.getValueAtPercentile(50))
                .with("p99Nanos", histogram.getValueAtPercentile(99))
                .with("maxNanos", histogram.getMaxValue())
                .with("behindNanos", behindNanos)
                .with("cpuCores", cpuNanos / (seconds * 1e9))
                .with("errors", errors.get())
                .with("firstError", Objects.requireNonNullElse(firstError.get(), "none"));
    }
}
