package io.holdfast.cli.lock;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hold whose loss {@link GuardedRun} can act on in time: when an operator breaks it, the cell lets nobody in before the command
 * is gone, at most until the local lease end (R3.6, ADR 0010).
 *
 * <p><b>Thread:</b> any. <b>Source:</b> ADR 0005, ADR 0010.
 */
final class StoppableHold implements HeldLock {
    private final TakenHold hold;
    private final long killAfterNanos;
    private final CountDownLatch gone = new CountDownLatch(1);
    private volatile @Nullable String lostReason;
    /** When the command was given {@link #killAfterNanos} to end; 0 before. */
    private long brokenAtNanos;

    private boolean broken;

    StoppableHold(TakenHold hold, long killAfterNanos, Events events, Consumer<String> notes) {
        this.hold = hold;
        this.killAfterNanos = killAfterNanos;
        hold.onLost(reason -> {
            lostReason = reason;
            notes.accept("the hold was taken away: " + reason);
            events.wake();
            awaitGone();
        });
    }

    /** The cell waits as long as this does not return. */
    private void awaitGone() {
        try {
            gone.await();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing of the command is left, or it never began: the next may be let in. */
    void commandIsGone() {
        gone.countDown();
    }

    /**
     * Of the local lease; for a hold that was broken, what is left of the time between TERM and KILL, at most until the local
     * lease end.
     */
    @Override
    public synchronized long remainingNanos() {
        long held = hold.remainingNanos();
        long stopWithin = held > 0 ? 0 : hold.stopWithinNanos();
        if (stopWithin <= 0) {
            return held;
        }
        if (!broken) {
            broken = true;
            brokenAtNanos = System.nanoTime();
        }
        return Math.max(0, Math.min(stopWithin, killAfterNanos - (System.nanoTime() - brokenAtNanos)));
    }

    @Override
    public void onLost(Runnable listener) {
        hold.onLost(reason -> listener.run());
    }

    /** Why it was lost, as the end of a sentence; empty if it was not, or nobody said. */
    String why() {
        String reason = lostReason;
        return reason == null ? "" : ": " + reason;
    }
}
