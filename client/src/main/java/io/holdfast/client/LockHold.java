package io.holdfast.client;

import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One hold of a lock. It belongs to whoever has this object, not to a thread.
 *
 * <p>Give {@link #token} to every resource that the lock protects, and ask {@link #ensureHeld} before each step of the work: the
 * local lease is checked on the monotonic clock at each use, so a process that wakes from a pause knows before it acts.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> R4.3, R4.4, R4.5.
 */
public final class LockHold implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LockHold.class);

    private final Hold hold;
    private final CallDesk desk;
    private final AtomicBoolean releaseBegun = new AtomicBoolean();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    /** Guarded by itself. */
    private final List<LostListener> listeners = new ArrayList<>();
    /** Guarded by {@link #listeners}. */
    private @Nullable String lostReason;

    LockHold(Hold hold, CallDesk desk) {
        this.hold = hold;
        this.desk = desk;
    }

    /** The fencing token: rises with every grant of this lock (F3). */
    public FencingToken token() {
        return hold.token();
    }

    /** The lock's path. */
    public String path() {
        return hold.lock().value();
    }

    /** The path of this hold's place in the queue. */
    public String place() {
        return hold.place().value();
    }

    public boolean isShared() {
        return hold.mode() == LockMode.SHARED;
    }

    /** Whether the lock may be acted on right now: not in jeopardy, not lost, not released or being released. */
    public boolean isHeld() {
        return !desk.loop.clock().hasJumped() // R1.3; first, see there
                && hold.isHeldAt(desk.loop.clock().nanos()); // R3.4
    }

    /** How long it will still be held if the cell confirms nothing more; zero if it is not held. */
    public Duration remaining() {
        return isHeld()
                ? Duration.ofNanos(hold.remainingNanosAt(desk.loop.clock().nanos()))
                : Duration.ZERO;
    }

    /**
     * Returns if the lock is held right now.
     *
     * @throws JeopardyException if the local lease is over or in doubt; the hold may come back
     * @throws HoldLostException if it is gone for good, or was released
     */
    public void ensureHeld() {
        if (isHeld()) {
            return;
        }
        String reason = hold.lostReason();
        if (reason != null) {
            throw new HoldLostException(this + " is lost: " + reason + "; stop the protected work");
        }
        if (hold.isOver()) {
            throw new HoldLostException(this + " was released; stop the protected work");
        }
        throw new JeopardyException(
                this + " is in jeopardy: the cell has not confirmed the session in time; stop the protected work");
    }

    /**
     * How much time is left to bring the protected work to an end after an operator broke this hold or expired its session: the
     * cell lets nobody else in before the listeners of {@link #onLost} have returned, and waits for them at most so long. It is
     * not held any more, so begin nothing new. Zero for a hold that was lost in any other way, and for one that is held.
     */
    public Duration stopWithin() {
        return desk.loop.clock().hasJumped()
                ? Duration.ZERO
                : Duration.ofNanos(hold.stoppingNanosAt(desk.loop.clock().nanos()));
    }

    /**
     * Tells once, on the callback executor, if the hold is lost for good; at once if it is already. When an operator ended it,
     * nobody else is granted the lock before the listeners that were there by then have returned or {@link #stopWithin} is over:
     * add it before the protected work begins, and stop that work in it.
     */
    public Subscription onLost(LostListener listener) {
        Objects.requireNonNull(listener, "listener");
        String already;
        synchronized (listeners) {
            already = lostReason;
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            var unused = tell(listener, already);
        }
        return () -> {
            synchronized (listeners) {
                listeners.remove(listener);
            }
        };
    }

    private CompletableFuture<Void> tell(LostListener listener, String reason) {
        CompletableFuture<Void> returned = new CompletableFuture<>();
        desk.callbacks.execute(() -> {
            try {
                listener.lost(this, reason);
            } finally {
                returned.complete(null);
            }
        });
        return returned;
    }

    /** Called on the loop's thread; completed when all listeners have returned. */
    CompletableFuture<Void> lost(String reason) {
        List<LostListener> told;
        synchronized (listeners) {
            if (lostReason != null) {
                return CompletableFuture.completedFuture(null);
            }
            lostReason = reason;
            told = new ArrayList<>(listeners);
            listeners.clear();
        }
        return CompletableFuture.allOf(
                told.stream().map(listener -> tell(listener, reason)).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Gives the lock back and waits for the answer, at most the call timeout. It is not held from before this is sent. Repeating
     * it is harmless: it names this hold's place and token and can never free a later hold.
     *
     * @return true if this hold was removed, false if it was gone already
     * @throws UnknownOutcomeException if the cell did not answer in time; the release is repeated in the background until it is
     *     answered or the session ends
     */
    public boolean release() {
        CompletableFuture<Boolean> begun = begin();
        Boolean removed;
        try {
            removed = desk.within(begun);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallInterruptedException(
                    HoldfastException.Outcome.UNKNOWN,
                    "interrupted while waiting for the release of " + this
                            + " to be answered; it goes on in the background");
        }
        if (removed == null) {
            throw notAnswered();
        }
        return removed;
    }

    /** The non-blocking twin of {@link #release}; goes on until answered or the session ends. */
    public CompletableFuture<Boolean> releaseAsync() {
        CompletableFuture<Boolean> outer = new CompletableFuture<>();
        var unused = begin().whenComplete((removed, problem) -> desk.callbacks.execute(() -> {
            if (problem == null) {
                outer.complete(removed);
            } else {
                outer.completeExceptionally(problem);
            }
        }));
        return outer;
    }

    /** Like {@link #release}, but an interrupt is only noted and set again at the end. */
    boolean releaseUninterruptibly() {
        desk.checkMayBlock();
        Boolean removed = Uninterrupted.get(begin(), desk.timeoutNanos());
        if (removed == null) {
            throw notAnswered();
        }
        return removed;
    }

    private UnknownOutcomeException notAnswered() {
        return new UnknownOutcomeException("release of " + this + " was not answered within " + desk.callTimeout
                + "; it is repeated in the background until it is answered or the session ends");
    }

    /** Not held from here on, although its release has not begun. */
    void stopHolding() {
        hold.markReleasing();
    }

    /** Why it was lost; null if it was not. */
    @Nullable
    String lostReason() {
        return hold.lostReason();
    }

    /** Begins the release, once; completed on the client's loop when it is answered. */
    CompletableFuture<Boolean> begin() {
        hold.markReleasing(); // R4.4: not held from before its release is sent
        if (releaseBegun.compareAndSet(false, true)) {
            desk.start(id -> new SessionEvent.Release(id, hold), new ReleaseKind(), released);
        }
        return released;
    }

    /** Begins the release; completed when it is answered, or false when that takes longer than a call may. Never fails. */
    CompletableFuture<Boolean> beginWithin() {
        return begin().exceptionally(unanswered -> false)
                .completeOnTimeout(false, desk.timeoutNanos(), TimeUnit.NANOSECONDS);
    }

    /** A session or client that is over holds nothing: the release found nothing to remove. */
    private static final class ReleaseKind extends CallKind<Boolean> {
        @Override
        Boolean of(Object result) {
            return ((Outcome.Released) result).removed();
        }

        @Override
        @Nullable
        Boolean ofFailure(io.holdfast.client.session.Failure failure) {
            return switch (failure.kind()) {
                case SESSION_EXPIRED, CLOSED -> Boolean.FALSE;
                default -> null;
            };
        }
    }

    /** {@link #release} that never throws: an unanswered release goes on in the background. */
    @Override
    public void close() {
        try {
            release();
        } catch (HoldfastException e) {
            log.debug("closing {}", this, e);
        }
    }

    @Override
    public String toString() {
        return "hold of " + path() + " with token " + token();
    }
}
