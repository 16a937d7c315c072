package io.holdfast.replica;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Turns a {@link ReplicaLoop} in real life: one thread that sleeps until something arrives or falls due.
 *
 * <p><b>Thread:</b> any may call {@link #start} (once), {@link #stop} and {@link #loop}.
 */
public final class LoopThread {
    /** Never sleeps longer, whatever the loop says. */
    private static final long MAX_SLEEP_NANOS = 1_000_000_000L;

    private final ReplicaLoop loop;
    private final LongSupplier clock;
    private final Thread thread;
    private volatile boolean sleeping;
    private volatile boolean stopped;

    /** As {@link ReplicaLoop#ReplicaLoop}; {@code clock} is monotonic, in nanoseconds. */
    public LoopThread(
            ReplicaSettings settings,
            ReplicaSeams seams,
            List<HostedCell> cells,
            FormationRecord recorded,
            LongSupplier clock)
            throws IOException {
        this.clock = clock;
        this.thread = new Thread(this::run, "holdfast-loop-" + settings.self().name());
        this.thread.setDaemon(true);
        this.loop = new ReplicaLoop(settings, seams, cells, recorded, this::wake);
    }

    /** The loop; {@link ReplicaLoop#offer} and {@link ReplicaLoop#status} are for any thread. */
    public ReplicaLoop loop() {
        return loop;
    }

    public void start() {
        thread.start();
    }

    /** Ends the thread after the turn it is in, and waits for that at most {@code waitMillis}. */
    public void stop(long waitMillis) throws InterruptedException {
        stopped = true;
        LockSupport.unpark(thread);
        if (thread.isAlive() && Thread.currentThread() != thread) {
            thread.join(waitMillis);
        }
    }

    private void wake() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!stopped) {
            loop.gather(); // before the clock: see ReplicaLoop
            loop.turn(clock.getAsLong());
            sleep();
        }
    }

    private void sleep() {
        sleeping = true;
        if (!stopped && !loop.hasMail()) {
            long deadline = loop.nextDeadlineNanos();
            long nanos = deadline == Long.MAX_VALUE ? MAX_SLEEP_NANOS : deadline - clock.getAsLong();
            if (nanos > 0) {
                LockSupport.parkNanos(this, Math.min(nanos, MAX_SLEEP_NANOS));
            }
        }
        sleeping = false;
    }
}
