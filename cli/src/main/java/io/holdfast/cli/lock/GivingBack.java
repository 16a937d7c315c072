package io.holdfast.cli.lock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Waits for the answer to a release: for the call timeout, but only a moment once a signal asks the wrapper to end. What is not
 * answered by then is given back by closing the session, or ends with its lease.
 *
 * <p><b>Thread:</b> one, which blocks. Nothing that the hold protected may run any more.
 */
final class GivingBack {
    /** With what closing the session may take, a signal ends the wrapper within a second ({@link LockSession#CLOSE_TIMEOUT}). */
    static final Duration AFTER_SIGNAL = Duration.ofMillis(300);

    private final Events events;
    private final long timeoutNanos;

    /** @param timeout how long to wait if no signal comes */
    GivingBack(Events events, Duration timeout) {
        this.events = events;
        this.timeoutNanos = timeout.toNanos();
    }

    /**
     * Waits.
     *
     * @param asked a signal has asked to end already
     * @return whether the cell has confirmed it
     */
    boolean await(CompletableFuture<?> released, boolean asked) {
        var unused = released.whenComplete((answer, problem) -> events.wake());
        long startNanos = System.nanoTime();
        long limitNanos = asked ? afterSignal(0) : timeoutNanos;
        boolean hurried = asked;
        while (!released.isDone()) {
            long passed = System.nanoTime() - startNanos;
            if (passed >= limitNanos) {
                return false;
            }
            if (events.await(limitNanos - passed).isPresent() && !hurried) {
                hurried = true;
                limitNanos = afterSignal(System.nanoTime() - startNanos);
            }
        }
        return !released.isCompletedExceptionally();
    }

    private long afterSignal(long passedNanos) {
        return Math.min(timeoutNanos, passedNanos + AFTER_SIGNAL.toNanos());
    }
}
