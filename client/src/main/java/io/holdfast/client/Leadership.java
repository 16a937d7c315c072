package io.holdfast.client;

import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One lead of an election. It belongs to whoever has this object, not to a thread.
 *
 * <p>A new leader raises the guard of each resource that it leads with {@link #token} <em>before</em> it reads any state from it (R4.7),
 * and asks {@link #ensureLeader} before each step that others must not see from two leaders.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> R4.3, R4.4, R4.5, R4.7.
 */
public final class Leadership implements AutoCloseable {
    private final LockHold hold;
    private final String value;

    Leadership(LockHold hold, String value) {
        this.hold = hold;
        this.value = value;
    }

    LockHold hold() {
        return hold;
    }

    /** Told once if a lead is lost for good: taken away, or its session expired. Not for jeopardy, not when it resigns. */
    @FunctionalInterface
    public interface LostListener {
        void lost(Leadership lead, String reason);
    }

    /** The fencing token: rises with every lead of this election (F3). */
    public FencingToken token() {
        return hold.token();
    }

    /** What it campaigned with. */
    public String value() {
        return value;
    }

    /** The election's path. */
    public String path() {
        return hold.path();
    }

    /** The path of its place. */
    public String place() {
        return hold.place();
    }

    /** Whether it may act as the leader right now: not in jeopardy, not lost, not resigned or resigning. */
    public boolean isLeader() {
        return hold.isHeld();
    }

    /** How long it will still lead if the cell confirms nothing more; zero if it does not lead. */
    public Duration remaining() {
        return hold.remaining();
    }

    /**
     * Returns if it leads right now.
     *
     * @throws JeopardyException if the local lease is over or in doubt; the lead may come back, with the same token
     * @throws HoldLostException if it is gone for good, or was resigned
     */
    public void ensureLeader() {
        hold.ensureHeld();
    }

    /**
     * How much time is left to bring the leader's work to an end after an operator broke this lead or expired its session, as {@link
     * LockHold#stopWithin}. Zero for a lead that was lost in any other way, and for one that is held.
     */
    public Duration stopWithin() {
        return hold.stopWithin();
    }

    /**
     * Tells once, on the callback executor, if the lead is lost for good; at once if it is already. When an operator ended it,
     * nobody else leads before the listener has returned or {@link #stopWithin} is over.
     */
    public Subscription onLost(LostListener listener) {
        Objects.requireNonNull(listener, "listener");
        return hold.onLost((lost, reason) -> listener.lost(this, reason));
    }

    /**
     * Lets the next candidate lead, and waits for the answer, at most the call timeout. It does not lead from before this is sent.
     * Repeating it is harmless.
     *
     * @return true if this lead was ended, false if it was gone already
     * @throws UnknownOutcomeException if the cell did not answer in time; it is repeated in the background until it is answered or the
     *     session ends
     */
    public boolean resign() {
        return hold.release();
    }

    /** The non-blocking twin of {@link #resign}. */
    public CompletableFuture<Boolean> resignAsync() {
        return hold.releaseAsync();
    }

    /** {@link #resign} that never throws: an unanswered one goes on in the background. */
    @Override
    public void close() {
        hold.close();
    }

    @Override
    public String toString() {
        return "lead of " + path() + " with token " + token();
    }
}
