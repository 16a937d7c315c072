package io.holdfast.client;

import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One permit of a semaphore. It belongs to whoever has this object, not to a thread. Ask {@link #ensureHeld} before each step of the
 * work.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> R4.3, R4.4, R4.5, ADR 0011.
 */
public final class Permit implements AutoCloseable {
    private final LockHold hold;

    Permit(LockHold hold) {
        this.hold = hold;
    }

    LockHold hold() {
        return hold;
    }

    /** Told once if a permit is lost for good. */
    @FunctionalInterface
    public interface LostListener {
        void lost(Permit permit, String reason);
    }

    /** A number that no other permit of this semaphore ever has. Not a fence: see {@link SemaphoreRecipe}. */
    public FencingToken token() {
        return hold.token();
    }

    /** The semaphore's path. */
    public String path() {
        return hold.path();
    }

    /** The path of this permit's place in the queue. */
    public String place() {
        return hold.place();
    }

    /** Whether it may be acted on right now: not in jeopardy, not lost, not released or being released. */
    public boolean isHeld() {
        return hold.isHeld();
    }

    /** How long it will still be held if the cell confirms nothing more; zero if it is not held. */
    public Duration remaining() {
        return hold.remaining();
    }

    /**
     * Returns if it is held right now.
     *
     * @throws JeopardyException if the local lease is over or in doubt; the permit may come back
     * @throws HoldLostException if it is gone for good, or was released
     */
    public void ensureHeld() {
        hold.ensureHeld();
    }

    /**
     * How much time is left to bring the work to an end after an operator broke this permit or expired its session, as {@link
     * LockHold#stopWithin}. Zero for a permit that was lost in any other way, and for one that is held.
     */
    public Duration stopWithin() {
        return hold.stopWithin();
    }

    /**
     * Tells once, on the callback executor, if the permit is lost for good; at once if it is already. When an operator ended it,
     * nobody else gets it before the listener has returned or {@link #stopWithin} is over.
     */
    public Subscription onLost(LostListener listener) {
        Objects.requireNonNull(listener, "listener");
        return hold.onLost((lost, reason) -> listener.lost(this, reason));
    }

    /** Gives it back; blocks, answers and throws as {@link LockHold#release} does. */
    public boolean release() {
        return hold.release();
    }

    /** The non-blocking twin of {@link #release}. */
    public CompletableFuture<Boolean> releaseAsync() {
        return hold.releaseAsync();
    }

    /** {@link #release} that never throws: an unanswered release goes on in the background. */
    @Override
    public void close() {
        hold.close();
    }

    @Override
    public String toString() {
        return "permit of " + path() + " with token " + token();
    }
}
