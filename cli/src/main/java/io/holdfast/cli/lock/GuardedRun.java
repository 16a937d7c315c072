package io.holdfast.cli.lock;

import io.holdfast.cli.lock.LossPolicy.Action;
import io.holdfast.cli.process.CaughtSignal;
import io.holdfast.cli.process.ChildLease;
import io.holdfast.cli.process.CommandGroup;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Watches a child while a lock is held: passes signals on, keeps the watchdog's idea of the lease fresh, and ends the child
 * in time when the lease is not renewed.
 *
 * <p><b>Thread:</b> one, which blocks in {@link #run()} until the child's group is gone or known not to go.
 *
 * <p><b>Source:</b> scenarios C30, C31; ADR 0005.
 */
final class GuardedRun {
    /** Renewals smaller than this are not worth a message to the watchdog. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** A group that survives KILL for so long hangs in the kernel. */
    static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CommandGroup child;
    private final HeldLock hold;
    private final LossPolicy policy;
    private final Events events;
    private final long killAfterNanos;
    private final long goneNanos;
    private final Consumer<String> notes;

    /** The severest thing done so far. */
    private Action done = Action.RUN;
    /** When the local lease ends, as the watchdog knows it. */
    private long toldEndNanos;
    /** The lease was seen to be over; it may have been renewed since. */
    private boolean wasOver;

    /** @param goneNanos how long KILL may take */
    GuardedRun(
            CommandGroup child,
            HeldLock hold,
            LossPolicy policy,
            Events events,
            long killAfterNanos,
            long goneNanos,
            Consumer<String> notes) {
        this.child = child;
        this.hold = hold;
        this.policy = policy;
        this.events = events;
        this.killAfterNanos = killAfterNanos;
        this.goneNanos = goneNanos;
        this.notes = notes;
    }

    /** How it ended. */
    enum End {
        /** Nothing is left, and the lock was held until then. */
        IN_TIME,
        /** Nothing is left, but the hold was lost before that, or may have been. */
        LOST,
        /** Something of it cannot be killed: the lock must not be released. */
        NOT_GONE
    }

    /** Returns when nothing of the group is left, or when KILL has had no effect for a while. */
    End run() {
        hold.onLost(events::wake);
        var unused = child.onExit().thenRun(events::wake);
        var unusedToo = child.onUnguarded().thenRun(events::wake);
        tellWatchdog(hold.remainingNanos(), true);
        while (child.isCommandAlive()) {
            events.await(guard()).ifPresent(this::forward);
        }
        boolean gone = endLeftovers();
        boolean watchdogActed = child.finish();
        if (!gone) {
            return End.NOT_GONE;
        }
        // A watchdog that did not say in time whether it acted may have done so, but not while the lease ran.
        noteLease();
        if ((watchdogActed || done == Action.TERM) && child.wasKilled()) {
            notes.accept("the command did not end in time; it was killed"); // by the watchdog, which was first
        }
        boolean lost = watchdogActed || done != Action.RUN || wasOver;
        return lost ? End.LOST : End.IN_TIME;
    }

    /** The watchdog says nothing of the lease once it was told to end the group. */
    private void noteLease() {
        wasOver |= hold.remainingNanos() <= 0;
    }

    /** Does what the lease demands now; how long until that may change. */
    private long guard() {
        long remaining = hold.remainingNanos();
        Action action = policy.at(remaining);
        if (!child.isGuarded() && done != Action.KILL && policy.watchdogLease(remaining) != null) {
            // Stopped from here on, this process could not end it in time, and nobody else would.
            done = Action.KILL;
            child.kill();
            notes.accept("the watchdog beside the command has ended; the command was killed, since it would outlive the"
                    + " lock if this process were stopped");
        }
        if (action.compareTo(done) > 0) {
            done = action;
            act(action, remaining);
        } else if (done == Action.KILL) {
            child.kill();
        }
        if (done == Action.KILL) {
            return TimeUnit.MILLISECONDS.toNanos(10);
        }
        tellWatchdog(remaining, false);
        return policy.nanosToNextAction(remaining);
    }

    private void act(Action action, long remainingNanos) {
        switch (action) {
            case RUN -> {}
            case NOTE_LOSS -> notes.accept("the hold is gone; the command runs on (--on-lost ignore)");
            case TERM -> {
                child.term(remainingNanos);
                notes.accept("the hold is being lost; the command was told to end");
            }
            case KILL -> {
                child.kill();
                notes.accept("the hold is lost; the command was killed");
            }
        }
    }

    private void tellWatchdog(long remainingNanos, boolean always) {
        ChildLease lease = policy.watchdogLease(remainingNanos);
        long endNanos = System.nanoTime() + remainingNanos;
        if (lease != null && done == Action.RUN && (always || endNanos - toldEndNanos > FRESH_NANOS)) {
            child.lease(lease);
            toldEndNanos = endNanos;
        }
    }

    /**
     * Without a clock the watchdog's timer begins anew with the message, and this process may be stopped right after it.
     */
    private void forward(CaughtSignal signal) {
        tellWatchdog(hold.remainingNanos(), true);
        child.signal(signal.name());
        tellWatchdog(hold.remainingNanos(), true);
    }

    /**
     * What the command left in its group is asked to end, then killed: the lock covers the whole group. False if something
     * is still there although it was killed long ago.
     */
    private boolean endLeftovers() {
        if (!child.isGone()) {
            if (done.compareTo(Action.TERM) < 0) {
                child.term(killAfterNanos);
            }
            events.drain(
                    this::forward,
                    () -> {
                        noteLease();
                        return wasOver || child.isGone() || !child.isGuarded();
                    },
                    killAfterNanos);
        }
        long startNanos = System.nanoTime();
        while (!child.isGone()) {
            child.kill();
            noteLease();
            events.drain(signal -> {}, child::isGone, TimeUnit.MILLISECONDS.toNanos(50));
            if (System.nanoTime() - startNanos > goneNanos) {
                return false;
            }
        }
        return true;
    }
}
