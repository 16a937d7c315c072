package io.holdfast.client.session;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import org.jspecify.annotations.Nullable;

/**
 * One hold of a leased lock, and what may be believed about it.
 *
 * <p><b>Thread:</b> any; what it becomes is written by the machine's thread, but for {@link #markReleasing} and {@link #markLost}.
 *
 * <p><b>Invariants:</b> 1. Held only while the local lease runs, which is counted from a send (R1.2). 2. Once that is over, or the
 * hold is released or lost, it is never held again, whatever the cell still says. 3. While the clocks are in doubt it is not held, and
 * may be again (R1.3).
 *
 * <p><b>Source:</b> R1.2, R1.3, R7.2.
 */
public final class LeasedHold {
    private final LeaseCall.Acquire made;
    private final FencingToken token;
    private final Trust trust = new Trust();
    /** Released, being released, or lost. */
    private volatile boolean over;
    /** Set before {@link #over}, by the machine, if it was not given back. */
    private volatile @Nullable String lostReason;
    /** What the application knows of this hold. */
    private volatile @Nullable Object handle;

    /** @param expiryNanos when the local lease ends, unless it is renewed */
    LeasedHold(LeaseCall.Acquire made, FencingToken token, long expiryNanos) {
        this.made = made;
        this.token = token;
        trust.extendTo(expiryNanos);
    }

    /** Whether the application may act as holder at this moment of the monotonic clock. Who asks too late ends the hold. */
    public boolean isHeldAt(long nowNanos) {
        if (over || hasRunOutAt(nowNanos)) {
            return false;
        }
        return trust.safeAt(nowNanos);
    }

    /** Whether the local lease has ended by now, for this or an earlier asker: then it has for ever. */
    boolean hasRunOutAt(long nowNanos) {
        if (nowNanos >= trust.localExpiryNanos()) {
            trust.end(); // R7.1: a later confirmation revives nothing
        }
        return trust.isOver();
    }

    /** Whether it is over for good by now: released, lost, or past its local lease. */
    public boolean hasEndedAt(long nowNanos) {
        return over || hasRunOutAt(nowNanos);
    }

    /** How long the application may go on acting without another confirmation; 0 if it is not held. */
    public long remainingNanosAt(long nowNanos) {
        return isHeldAt(nowNanos) ? trust.remainingNanosAt(nowNanos) : 0;
    }

    long localExpiryNanos() {
        return trust.localExpiryNanos();
    }

    /** A renewal was confirmed that was sent since the last doubt; {@code expiryNanos} is counted from then. */
    void confirmed(long expiryNanos) {
        trust.extendTo(expiryNanos);
        trust.restore();
    }

    /** The clocks may have stood still: not held until a renewal that is sent from now on is confirmed (R1.3). */
    void doubt() {
        trust.suspend();
    }

    /** From here on it is not held. Called before the release is sent, by the machine and by the caller's thread. */
    public void markReleasing() {
        over = true;
    }

    /** From here on it is not held, and never again. Called by the machine, or by whoever ends in its place. */
    public void markLost(String reason) {
        lostReason = reason;
        over = true;
    }

    /** Whether it ended, by release or loss, as far as the machine knows. */
    public boolean isOver() {
        return over;
    }

    /** Why it was lost; null if it was not. */
    public @Nullable String lostReason() {
        return lostReason;
    }

    /** Keeps an object as long as this hold is kept. */
    public void keep(Object itsHandle) {
        handle = itsHandle;
    }

    /** What was to be kept; null if nothing was. */
    public @Nullable Object handle() {
        return handle;
    }

    public LeaseName name() {
        return made.name();
    }

    public LeaseOwner owner() {
        return made.owner();
    }

    public FencingToken token() {
        return token;
    }

    public long leaseMillis() {
        return made.leaseMillis();
    }

    @Override
    public String toString() {
        return "lease " + name() + " token " + token;
    }
}
