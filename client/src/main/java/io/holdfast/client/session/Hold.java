package io.holdfast.client.session;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import org.jspecify.annotations.Nullable;

/**
 * One hold of a lock by this session, and what may be believed about it.
 *
 * <p><b>Thread:</b> any; {@link #markReleasing} too, the rest is written by the machine's thread.
 *
 * <p><b>Invariants:</b> 1. Made only for a grant that came while the session was SAFE (R4.3). 2. Once over it is never held
 * again, whatever the cell still says (R4.4). 3. Held only while the local lease runs (R3.4).
 */
public final class Hold {
    private final AcquireSpec spec;
    private final NodePath place;
    private final FencingToken token;
    private final Trust trust;
    /** Released, being released, or lost. */
    private volatile boolean over;
    /** What the application knows of this hold; kept as long as the machine keeps the hold, so that a loss finds its listeners. */
    private volatile @Nullable Object handle;
    /** Set before {@link #over}, by the machine, if it was taken rather than given back. */
    private volatile @Nullable String lostReason;
    /** Until when the work may be brought to an end; set before {@link #over} if an operator ended it. */
    private volatile long stopByNanos = Long.MIN_VALUE;

    /** @param spec what was asked for */
    Hold(AcquireSpec spec, NodePath place, FencingToken token, Trust trust) {
        this.spec = spec;
        this.place = place;
        this.token = token;
        this.trust = trust;
    }

    /** Whether the application may act as holder at this moment of the monotonic clock. */
    public boolean isHeldAt(long nowNanos) {
        return !over && trust.safeAt(nowNanos); // R3.4, R4.4
    }

    /** How long it may go on acting without another confirmation; 0 if it is not held. */
    public long remainingNanosAt(long nowNanos) {
        return over ? 0 : trust.remainingNanosAt(nowNanos);
    }

    /** From here on it is not held. Called before the release is sent (R4.4), by the machine and by the caller's thread. */
    public void markReleasing() {
        over = true;
    }

    /** Keeps an object as long as this hold is kept. */
    public void keep(Object itsHandle) {
        handle = itsHandle;
    }

    /** What was to be kept; null if nothing was. */
    public @Nullable Object handle() {
        return handle;
    }

    void markLost(String reason) {
        lostReason = reason;
        over = true;
    }

    /** An operator ended it, and the cell waits until the application has stopped, but not longer than the lease (R3.6). */
    void markStopping(long byNanos) {
        stopByNanos = byNanos;
    }

    /** The application has stopped, and the cell is told so next. */
    void markStopped() {
        stopByNanos = Long.MIN_VALUE;
    }

    /**
     * How much time is left to bring the protected work to an end: only while the cell waits for that since an operator ended
     * the hold (R3.6). Nobody else is let in before this is 0, but it is not held: begin nothing new.
     */
    public long stoppingNanosAt(long nowNanos) {
        long stopBy = stopByNanos;
        return over && stopBy > nowNanos && !trust.suspended() ? stopBy - nowNanos : 0;
    }

    /** Whether it ended, by release or loss. In jeopardy it has not ended: it may come back with the same token. */
    public boolean isOver() {
        return over;
    }

    /** Why it was lost; null if it was not. */
    public @Nullable String lostReason() {
        return lostReason;
    }

    public NodePath lock() {
        return spec.lock();
    }

    public NodePath place() {
        return place;
    }

    public FencingToken token() {
        return token;
    }

    public LockMode mode() {
        return spec.mode();
    }

    /** How many the semaphore has, if this is a permit; else 0. */
    public int permits() {
        return spec.permits();
    }

    @Override
    public String toString() {
        return place + " token " + token;
    }
}
