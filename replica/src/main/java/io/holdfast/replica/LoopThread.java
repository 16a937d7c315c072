package io.holdfast.replica;

import io.holdfast.protocol.loop.Turns;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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
    private final Turns turns;

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
        this.turns = new Turns(executor, this::turn, () -> {});
        this.loop = new ReplicaLoop(settings, seams, cells, recorded, turns::ask);
    }

    /** The loop; {@link ReplicaLoop#offer} and {@link ReplicaLoop#status} are for any thread. */
    public ReplicaLoop loop() {
        return loop;
    }

    public void start() {
        turns.start();
    }

    /** No turn begins after this; waits for one that is under way at most {@code waitMillis}. Not on the executor's thread. */
    public void stop(long waitMillis) throws InterruptedException {
        turns.stop();
        CountDownLatch idle = new CountDownLatch(1);
        try {
            executor.execute(idle::countDown);
            idle.await(waitMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            // the executor's thread has ended, so nothing is under way
            return;
        }
    }

    private long turn() {
        loop.gather(); // before the clock: see ReplicaLoop
        loop.turn(clock.getAsLong());
        if (loop.hasMail()) {
            return 0;
        }
        long now = clock.getAsLong();
        return Math.max(now, Math.min(loop.nextDeadlineNanos(), now + MAX_SLEEP_NANOS)) - now;
    }
}
