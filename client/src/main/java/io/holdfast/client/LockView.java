package io.holdfast.client;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock as {@link Lock}, for code that knows nothing else. Prefer {@link LockRecipe}: its handle has the token, and knows when it is
 * lost.
 *
 * <p>What differs from a lock of one process:
 * <ul>
 *   <li>It can be lost while it is held. {@link #unlock} says so: it returns only if the cell confirmed that the hold was there until
 *       the very moment of its release; else it throws {@link HoldLostException}, or {@link UnknownOutcomeException} if nobody answered
 *       within the call timeout. The protected work must then count as unprotected.
 *   <li>It is held by the thread that took it, as {@code ReentrantLock} is: {@link #unlock} on another thread throws
 *       {@link IllegalMonitorStateException} and releases nothing. So a thread that was late can never give away what another thread has
 *       got since. Whoever wants to release on another thread uses the handle of {@link LockRecipe}.
 *   <li>It is not re-entrant (R4.5): a thread that holds it and asks again would wait for itself. It gets an
 *       {@link IllegalStateException}, from {@link #tryLock()} false; and a {@link HoldLostException} from all of them if what it holds
 *       was lost: it must unlock first, which says the same.
 *   <li>Every method asks the cell and may throw what {@link LockRecipe} does, for example {@link UnreachableException}.
 *   <li>There are no conditions.
 * </ul>
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> 1. What a thread unlocks is the hold that this thread took, by place and token (R4.4). 2. A thread has at most
 * one hold of a view, or of the two views of a {@link ReadWriteLockView}.
 */
public final class LockView implements Lock {
    private final LockRecipe recipe;
    private final Holds holds;

    /** What each thread holds of one view, or of two that belong together. A thread that ends without unlocking leaves its own behind. */
    static final class Holds {
        private final Map<Thread, Held> byThread = new ConcurrentHashMap<>();

        private record Held(LockView view, LockHold hold) {}
    }

    LockView(LockRecipe recipe, Holds holds) {
        this.recipe = recipe;
        this.holds = holds;
    }

    /**
     * The hold of the calling thread, for its token and to ask {@link LockHold#ensureHeld} of it.
     *
     * @throws IllegalMonitorStateException if the calling thread did not take it
     */
    public LockHold hold() {
        return mine().hold();
    }

    private Holds.Held mine() {
        Holds.Held held = holds.byThread.get(Thread.currentThread());
        if (held == null || held.view() != this) {
            throw new IllegalMonitorStateException("this thread did not take " + recipe
                    + "; a hold of this view is released by the thread that took it, a LockHold by any");
        }
        return held;
    }

    /** Waits without bound, also if interrupted: the place in the queue is kept, and the interrupt set again at the end. */
    @Override
    public void lock() {
        requireNone();
        keep(recipe.acquireUninterruptibly());
    }

    /** Waits without bound; an interrupt removes the place in the queue. */
    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNone();
        keep(recipe.acquire());
    }

    /** Takes it if it is free now: one round trip to the cell, at most the call timeout. */
    @Override
    public boolean tryLock() {
        Holds.Held held = holds.byThread.get(Thread.currentThread());
        if (held != null) {
            requireNotLost(held);
            return false;
        }
        return keep(recipe.tryAcquire());
    }

    /** Waits in the queue for at most so long; the cell's first answer may take up to the call timeout. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireNone();
        return keep(recipe.acquire(Duration.ofNanos(Math.max(0, unit.toNanos(time)))));
    }

    private void requireNone() {
        Holds.Held held = holds.byThread.get(Thread.currentThread());
        if (held != null) {
            requireNotLost(held);
            throw new IllegalStateException("this thread has " + held.hold() + " and would wait for itself to take "
                    + recipe + "; unlock first");
        }
    }

    /** Whoever lost it must not go on as if it had it, nor learn only at the end that it waited for nothing. */
    private static void requireNotLost(Holds.Held held) {
        String reason = held.hold().lostReason();
        if (reason != null) {
            throw new HoldLostException("this thread had " + held.hold() + ", which is lost: " + reason
                    + "; stop the protected work, and unlock first to take a lock again");
        }
    }

    private boolean keep(Optional<LockHold> hold) {
        hold.ifPresent(this::keep);
        return hold.isPresent();
    }

    private void keep(LockHold hold) {
        holds.byThread.put(Thread.currentThread(), new Holds.Held(this, hold));
    }

    /**
     * Gives the lock back and waits for the answer, at most the call timeout, also if interrupted. It is not held any more, whatever
     * this throws.
     *
     * @throws HoldLostException if it had been lost: the work since {@link #lock} may have met another holder's
     * @throws UnknownOutcomeException if the cell did not answer in time; the release is repeated in the background
     * @throws IllegalMonitorStateException if the calling thread did not take it
     */
    @Override
    public void unlock() {
        LockHold hold = mine().hold();
        holds.byThread.remove(Thread.currentThread());
        @Nullable String known = hold.lostReason();
        if (!hold.releaseUninterruptibly()) {
            throw new HoldLostException(hold + " was lost before it was released ("
                    + Objects.requireNonNullElse(known, "it was gone from the cell")
                    + "): the work that it was to protect may have met another holder's");
        }
    }

    /** There are none. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                recipe + " has no conditions; let the other side write a value, and watch it");
    }

    @Override
    public String toString() {
        return "view of " + recipe;
    }
}
