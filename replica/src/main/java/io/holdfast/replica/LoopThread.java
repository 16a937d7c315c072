package io.holdfast.replica;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns a {@link ReplicaLoop} in real life, whenever something arrived or fell due, on one thread that it shares with the
 * network: a frame that was read is handled, and what it led to is written, without another thread having to wake (ADR
 * 0006).
 *
 * <p><b>Thread:</b> any may call {@link #start} (once), {@link #stop} and {@link #loop}; turns are on the executor's.
 */
public final class LoopThread {
    /** Never waits longer for the next turn, whatever the loop says. */
    private static final long MAX_SLEEP_NANOS = 1_000_000_000L;

    private final ReplicaLoop loop;
    private final ScheduledExecutorService executor;
    private final LongSupplier clock;
    /** A turn will come, so nobody else has to ask for one. */
    private final AtomicBoolean asked = new AtomicBoolean();

    private volatile boolean started;
    private volatile boolean stopped;
    /** The executor's; null before the first turn. */
    private @Nullable Future<?> timer;
    /** When {@link #timer} asks for a turn. */
    private long timerNanos;

    /**
     * As {@link ReplicaLoop#ReplicaLoop}.
     *
     * @param clock monotonic, in nanoseconds
     * @param executor one thread, which nothing may block
     */
    public LoopThread(
            ReplicaSettings settings,
            ReplicaSeams seams,
            List<HostedCell> cells,
            FormationRecord recorded,
            LongSupplier clock,
            ScheduledExecutorService executor)
            throws IOException {
        this.clock = clock;
        this.executor = executor;
        this.loop = new ReplicaLoop(settings, seams, cells, recorded, this::ask);
    }

    /** The loop; {@link ReplicaLoop#offer} and {@link ReplicaLoop#status} are for any thread. */
    public ReplicaLoop loop() {
        return loop;
    }

    public void start() {
        started = true;
        ask();
    }

    /** No turn begins after this; waits for one that is under way at most {@code waitMillis}. Not on the executor's thread. */
    public void stop(long waitMillis) throws InterruptedException {
        stopped = true;
        CountDownLatch idle = new CountDownLatch(1);
        try {
            executor.execute(idle::countDown);
            idle.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            // the executor's thread has ended, so nothing is under way
            return;
        }
    }

    private void ask() {
        if (!started || stopped || !asked.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(this::turn);
        } catch (RejectedExecutionException ended) {
            stopped = true;
        }
    }

    private void turn() {
        asked.set(false); // first: what arrives from here on may be too late for this turn
        if (stopped) {
            return;
        }
        loop.gather(); // before the clock: see ReplicaLoop
        loop.turn(clock.getAsLong());
        if (loop.hasMail()) {
            ask();
        }
        arm();
    }

    /** Makes sure that a turn comes when the next thing falls due; one that comes too early does no harm. */
    private void arm() {
        long now = clock.getAsLong();
        long deadline = Math.max(now, Math.min(loop.nextDeadlineNanos(), now + MAX_SLEEP_NANOS));
        Future<?> present = timer;
        if (present != null && !present.isDone()) {
            if (timerNanos <= deadline) {
                return;
            }
            present.cancel(false);
        }
        timerNanos = deadline;
        try {
            timer = executor.schedule(this::ask, deadline - now, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            stopped = true;
        }
    }
}
