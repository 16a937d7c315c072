package io.holdfast.protocol.loop;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Gives a loop its turns on a thread that it shares with the network: one soon after each {@link #ask}, and one when
 * something falls due (ADR 0006).
 *
 * <p><b>Thread:</b> any; turns are on the executor's, one at a time.
 *
 * <p><b>Invariants:</b> (1) after an ask a turn begins that sees what was done before the ask; asks that come before it begins
 * share it. (2) A turn comes no later than the last one said, but may come earlier. (3) No turn begins after {@link #stop}, but the one
 * that was just about to: a task given to the executor after the stop runs when there is none any more.
 */
public final class Turns {
    /** The loop. */
    public interface Work {
        /** One turn; how many nanoseconds later the next must come, {@link Long#MAX_VALUE} if only when asked for. */
        long turn();
    }

    private final ScheduledExecutorService executor;
    private final Work work;
    private final Runnable whenGone;
    /** A turn will come, so nobody else has to ask for one. */
    private final AtomicBoolean asked = new AtomicBoolean();

    private volatile boolean started;
    private volatile boolean stopped;
    /** The executor's; null while none was needed. */
    private @Nullable Future<?> timer;
    /** When {@link #timer} asks for a turn, by {@link System#nanoTime}. */
    private long timerNanos;

    /**
     * @param executor one thread, which a turn must not block
     * @param whenGone runs on any thread if the executor takes no more: there will be no turns
     */
    public Turns(ScheduledExecutorService executor, Work work, Runnable whenGone) {
        this.executor = executor;
        this.work = work;
        this.whenGone = whenGone;
    }

    /** From now on there are turns, the first at once. */
    public void start() {
        started = true;
        ask();
    }

    /** Asks for a turn; what was asked for before the start comes with it. */
    public void ask() {
        if (!started || stopped || !asked.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException ended) {
            gone();
        }
    }

    /** No turn begins after this, but one that was just about to. */
    public void stop() {
        stopped = true;
    }

    private void run() {
        asked.set(false); // first: what is done from here on may be too late for this turn
        if (stopped) {
            return;
        }
        long nanos = work.turn();
        if (!stopped && nanos != Long.MAX_VALUE) {
            arm(Math.max(nanos, 0));
        }
    }

    private void arm(long nanos) {
        long due = System.nanoTime() + nanos;
        Future<?> present = timer;
        if (present != null && !present.isDone()) {
            if (timerNanos - due <= 0) {
                return;
            }
            present.cancel(false);
        }
        timerNanos = due;
        try {
            timer = executor.schedule(this::ask, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ended) {
            gone();
        }
    }

    private void gone() {
        stopped = true;
        whenGone.run();
    }
}
