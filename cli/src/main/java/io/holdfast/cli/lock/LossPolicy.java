package io.holdfast.cli.lock;

import io.holdfast.cli.process.ChildLease;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with the child, given what is left of the local lease.
 *
 * <p>Pure: time is passed in. TERM comes {@code killAfter} before the local lease end, KILL at it: the local lease ends
 * before the cell could grant the lock to another (R1.2).
 */
final class LossPolicy {
    /** What {@code --on-lost} says. */
    enum OnLost {
        /** TERM, then KILL at the local lease end. */
        term,
        /** KILL when TERM would be due. */
        kill,
        /** Leave the child alone: only the resource's check of the token protects it then. */
        ignore
    }

    /** In rising order of severity; a severer one is never taken back. */
    enum Action {
        RUN,
        /** Not held at this moment, and the child is to be left alone. */
        NOTE_LOSS,
        TERM,
        KILL
    }

    /** The watchdog has killed so long before the local lease end, whatever {@code --kill-after} says. */
    static final long WATCHDOG_MARGIN_NANOS = 200_000_000L;

    private final OnLost onLost;
    private final long killAfterNanos;

    LossPolicy(OnLost onLost, long killAfterNanos) {
        this.onLost = onLost;
        this.killAfterNanos = killAfterNanos;
    }

    /**
     * Decides.
     *
     * @param remainingNanos of the local lease; 0 if the lock is not held, for whatever reason
     */
    Action at(long remainingNanos) {
        if (onLost == OnLost.ignore) {
            return remainingNanos <= 0 ? Action.NOTE_LOSS : Action.RUN;
        }
        if (remainingNanos <= 0) {
            return Action.KILL;
        }
        if (remainingNanos <= killAfterNanos) {
            return onLost == OnLost.kill ? Action.KILL : Action.TERM;
        }
        return Action.RUN;
    }

    /** How long until {@link #at} may decide otherwise if the lease is not renewed. */
    long nanosToNextAction(long remainingNanos) {
        long termNanos = termNanos(remainingNanos);
        return termNanos > 0 ? termNanos : Math.max(remainingNanos, 0);
    }

    /** How long until TERM (or KILL without one) is due. */
    long termNanos(long remainingNanos) {
        return onLost == OnLost.ignore ? Math.max(remainingNanos, 0) : Math.max(remainingNanos - killAfterNanos, 0);
    }

    /**
     * What the watchdog is to do by itself; null if nothing. It kills a little before the local lease end, for it may have
     * to wait for a processor.
     */
    @Nullable
    ChildLease watchdogLease(long remainingNanos) {
        if (onLost == OnLost.ignore) {
            return null;
        }
        long killAfter = 0;
        long margin = killAfterNanos;
        if (onLost == OnLost.term) {
            margin = Math.min(WATCHDOG_MARGIN_NANOS, killAfterNanos / 4);
            killAfter = killAfterNanos - margin;
        }
        long earlier = Math.max(WATCHDOG_MARGIN_NANOS - margin, 0);
        return new ChildLease(Math.max(termNanos(remainingNanos) - earlier, 0), killAfter);
    }
}
