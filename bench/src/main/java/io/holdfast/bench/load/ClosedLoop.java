package io.holdfast.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Callers on threads of their own, each doing its step again as soon as it is done. After a warm-up, what begins and ends
 * within the window counts.
 */
final class ClosedLoop {
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long PAUSE_AFTER_ERROR_MILLIS = 10;
    private static final long STACK_BYTES = 256 << 10;
    private static final long END_SECONDS = 60;

    /** One caller's step. */
    interface Step {
        /** Does it once and records it. */
        void once(Recorder recorder) throws Exception;
    }

    /** Takes what was done; all times are monotonic. */
    interface Recorder {
        /**
         * Counts it if it lies within the window.
         *
         * @param nanos the latency to record
         * @param beginNanos when it began
         * @param endNanos when all that is counted with it was done
         */
        void record(long nanos, long beginNanos, long endNanos);
    }

    private final ConcurrentHistogram histogram = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private final AtomicLong errors = new AtomicLong();
    /** Written by whoever counts the first error. */
    private volatile String firstError = "none";
    /** Monotonic; written before the window begins. */
    private volatile long fromNanos = Long.MAX_VALUE;

    private volatile long untilNanos = Long.MAX_VALUE;
    private volatile boolean stopped;

    private ClosedLoop() {}

    /** Runs all steps as {@code warmup}, {@code seconds} and {@code pids} of the request say; the figures. */
    static Fields run(List<Step> steps, Fields request) throws InterruptedException {
        return new ClosedLoop().measure(steps, request);
    }

    private Fields measure(List<Step> steps, Fields request) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Step step : steps) {
            Thread thread = new Thread(null, () -> loop(step), "caller-" + threads.size(), STACK_BYTES);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        sleepSeconds(request.decimal("warmup"));
        ServerCpu cpu = new ServerCpu(request.text("pids"));
        long beginCpu = cpu.nanos();
        long begin = System.nanoTime();
        fromNanos = begin;
        sleepSeconds(request.decimal("seconds"));
        long end = System.nanoTime();
        untilNanos = end;
        long cpuNanos = cpu.nanos() - beginCpu;
        stopped = true;
        end(threads);
        return figures(end - begin, cpuNanos);
    }

    private void loop(Step step) {
        while (!stopped) {
            try {
                step.once(this::record);
            } catch (InterruptedException ended) {
                return;
            } catch (Exception failed) {
                if (stopped) {
                    return;
                }
                if (errors.incrementAndGet() == 1) {
                    firstError = failed.toString().replaceAll("\\s", "_");
                    failed.printStackTrace();
                }
                pause();
            }
        }
    }

    private void record(long nanos, long beginNanos, long endNanos) {
        if (beginNanos >= fromNanos && endNanos <= untilNanos) {
            histogram.recordValue(Math.min(Math.max(nanos, 0), HIGHEST_NANOS));
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_AFTER_ERROR_MILLIS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(List<Thread> threads) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        threads.forEach(Thread::interrupt);
    }

    private static void sleepSeconds(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1_000));
    }

    private Fields figures(long elapsedNanos, long cpuNanos) {
        long count = histogram.getTotalCount();
        return new Fields("")
                .with("count", count)
                .with("perSecond", count * 1e9 / elapsedNanos)
                .with("p50Nanos", histogram.getValueAtPercentile(50))
                .with("p99Nanos", histogram.getValueAtPercentile(99))
                .with("maxNanos", histogram.getMaxValue())
                .with("cpuNanosEach", count == 0 ? 0 : cpuNanos / count)
                .with("cpuCores", (double) cpuNanos / elapsedNanos)
                .with("errors", errors.get())
                .with("firstError", firstError);
    }
}
