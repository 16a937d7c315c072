package io.holdfast.client;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One hold of a leased lock, renewed by itself every 3/10 of its lease. It belongs to whoever has this object, not to a thread.
 *
 * <p>Give {@link #token} to every resource that the lock protects, and ask {@link #ensureHeld} before each step of the work. Once the
 * lease has passed here, or the cell does not know the hold any more, it is lost for ever.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> F8, R1.2, R1.3, R7.1.
 */
public final class LeaseHold implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeaseHold.class);

    private final LeasedHold hold;
    private final CallDesk desk;
    private final AtomicBoolean releaseBegun = new AtomicBoolean();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    /** Guarded by itself. */
    private final List<LeaseLostListener> listeners = new ArrayList<>();
    /** Guarded by {@link #listeners}. */
    private @Nullable String lostReason;

    LeaseHold(LeasedHold hold, CallDesk desk) {
        this.hold = hold;
        this.desk = desk;
        hold.keep(this);
    }

    /** The fencing token: rises with every grant of this name (F3). */
    public FencingToken token() {
        return hold.token();
    }

    public String name() {
        return hold.name().value();
    }

    public String owner() {
        return hold.owner().value();
    }

    /** Whether the lock may be acted on right now: the lease runs here and is not in doubt, and it is not released or lost. */
    public boolean isHeld() {
        return !desk.loop.clock().hasJumped() // R1.3; first, see there
                && hold.isHeldAt(desk.loop.clock().nanos());
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
     * @throws JeopardyException if the machine may have been suspended and no renewal was confirmed since; the hold may come back
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
        if (hold.hasEndedAt(desk.loop.clock().nanos())) {
            throw new HoldLostException(this + " is lost: its lease has passed; stop the protected work");
        }
        throw new JeopardyException(
                this + " is in doubt: the clocks jumped and no renewal was confirmed since; stop the protected work");
    }

    /** Tells once, on the callback executor, if the hold is lost for good; at once if it is already. */
    public Subscription onLost(LeaseLostListener listener) {
        Objects.requireNonNull(listener, "listener");
        String already;
        synchronized (listeners) {
            already = lostReason;
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            tell(listener, already);
        }
        return () -> {
            synchronized (listeners) {
                listeners.remove(listener);
            }
        };
    }

    private void tell(LeaseLostListener listener, String reason) {
        desk.callbacks.execute(() -> listener.lost(this, reason));
    }

    /** Called on the loop's thread. */
    void lost(String reason) {
        List<LeaseLostListener> told;
        synchronized (listeners) {
            if (lostReason != null) {
                return;
            }
            lostReason = reason;
            told = new ArrayList<>(listeners);
            listeners.clear();
        }
        told.forEach(listener -> tell(listener, reason));
    }

    /**
     * Gives the lock back and waits for the answer, at most the call timeout. It is not held from before this is sent. Repeating it is
     * harmless: it names this hold's token and can never free a later hold.
     *
     * @return true if this hold was given back, false if it was lost before
     * @throws UnknownOutcomeException if the cell did not answer in time; the release is repeated in the background until it is
     *     answered or the lease is over
     */
    public boolean release() {
        CompletableFuture<Boolean> begun = begin();
        Boolean was;
        try {
            was = desk.within(begun);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallInterruptedException(
                    HoldfastException.Outcome.UNKNOWN,
                    "interrupted while waiting for the release of " + this
                            + " to be answered; it goes on in the background");
        }
        if (was == null) {
            throw new UnknownOutcomeException("release of " + this + " was not answered within " + desk.callTimeout
                    + "; it is repeated in the background until it is answered or the lease is over");
        }
        return was;
    }

    /** The non-blocking twin of {@link #release}. */
    public CompletableFuture<Boolean> releaseAsync() {
        CompletableFuture<Boolean> outer = new CompletableFuture<>();
        var unused = begin().whenComplete((was, problem) -> desk.callbacks.execute(() -> {
            if (problem == null) {
                outer.complete(was);
            } else {
                outer.completeExceptionally(problem);
            }
        }));
        return outer;
    }

    private CompletableFuture<Boolean> begin() {
        boolean wasLost = hold.lostReason() != null;
        if (releaseBegun.compareAndSet(false, true)) {
            hold.markReleasing(); // R4.4: not held from before its release is sent
            if (wasLost) {
                released.complete(false);
            } else {
                desk.startInto(
                        released,
                        new ReleaseKind(),
                        listener -> desk.loop.leaseCall(id -> new LeaseEvent.Release(id, hold), listener));
            }
        }
        return released;
    }

    /** A client that is closed gives everything back by itself. */
    private static final class ReleaseKind extends CallKind<Boolean> {
        @Override
        Boolean of(Object result) {
            return ((Outcome.OfLease) result).lease() instanceof LeaseOutcome.Released;
        }

        @Override
        @Nullable
        Boolean ofFailure(Failure failure) {
            return failure.kind() == Failure.Kind.CLOSED ? Boolean.FALSE : null;
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
        return "hold of lease " + name() + " with token " + token();
    }
}
