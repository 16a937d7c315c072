package io.holdfast.client;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leased locks (F8): taken by a name and an owner, without a session and without a queue.
 *
 * <p>A hold renews itself until it is released, closed or lost. Whoever finds the lock held asks again after a while that the cell
 * suggests; nobody is served in order. Not re-entrant: the same owner is refused as anybody else.
 *
 * <p><b>Thread:</b> any. Immutable; works with whatever client made it.
 *
 * <p>Every call may throw {@link UnreachableException} if no leader answers within the call timeout and nothing was done, {@link
 * UnknownOutcomeException} if something may have been (what may have been acquired is given back in the background), {@link
 * HoldLostException} if a grant came too late to count, {@link RefusedException} for names, owners and lengths out of range.
 */
public final class Leases {
    private final CallDesk desk;
    private final long leaseMillis;

    Leases(CallDesk desk) {
        this(desk, Limits.DEFAULT_LEASE_MILLIS);
    }

    private Leases(CallDesk desk, long leaseMillis) {
        this.desk = desk;
        this.leaseMillis = leaseMillis;
    }

    /**
     * The same with leases of another length.
     *
     * @param lease 1 to 60 s; 10 s unless another is given
     * @throws RefusedException if it is out of that range
     */
    public Leases lease(Duration lease) {
        return new Leases(desk, RawLeases.checkedMillis(lease));
    }

    /** Single calls, for those who renew by themselves. */
    public RawLeases raw() {
        return new RawLeases(desk);
    }

    /**
     * Asks until it is held, without bound.
     *
     * @throws InterruptedException if interrupted; what may have been acquired is given back
     */
    public LeaseHold acquire(String name, String owner) throws InterruptedException {
        return desk.awaitStarted(new HoldKind(desk), acquiring(name, owner, Long.MAX_VALUE));
    }

    /**
     * Asks until it is held or so much time has passed; zero asks once.
     *
     * @return empty if it is still another's
     * @throws InterruptedException if interrupted; what may have been acquired is given back
     */
    public Optional<LeaseHold> acquire(String name, String owner, Duration maxWait) throws InterruptedException {
        return desk.awaitStarted(new OrHeld(desk), acquiring(name, owner, Durations.waitNanos(maxWait)));
    }

    /** Asks once. */
    public Optional<LeaseHold> tryAcquire(String name, String owner) {
        return desk.callStarted(new OrHeld(desk), acquiring(name, owner, 0));
    }

    /** The twin of {@link #acquire(String, String)}; cancelling it gives back what may have been acquired. */
    public CompletableFuture<LeaseHold> acquireAsync(String name, String owner) {
        return desk.asyncStarted(new HoldKind(desk), acquiring(name, owner, Long.MAX_VALUE));
    }

    /** The twin of {@link #acquire(String, String, Duration)}. */
    public CompletableFuture<Optional<LeaseHold>> acquireAsync(String name, String owner, Duration maxWait) {
        return desk.asyncStarted(new OrHeld(desk), acquiring(name, owner, Durations.waitNanos(maxWait)));
    }

    /** The twin of {@link #tryAcquire}. */
    public CompletableFuture<Optional<LeaseHold>> tryAcquireAsync(String name, String owner) {
        return desk.asyncStarted(new OrHeld(desk), acquiring(name, owner, 0));
    }

    private CallDesk.Start acquiring(String name, String owner, long waitNanos) {
        LeaseName leaseName = Failures.checked(() -> new LeaseName(name));
        LeaseOwner leaseOwner = Failures.checked(() -> new LeaseOwner(owner));
        LeaseCall.Acquire call = new LeaseCall.Acquire(leaseName, leaseOwner, leaseMillis, newRequestId());
        LongFunction<LeaseEvent> event = id -> new LeaseEvent.Acquire(id, call, waitNanos, desk.timeoutNanos());
        return listener -> desk.loop.leaseCall(event, listener);
    }

    /** Nobody else has it, so nobody else can be told of what it is granted. */
    static String newRequestId() {
        return UUID.randomUUID().toString();
    }

    private static final class HoldKind extends CallKind<LeaseHold> {
        private final CallDesk desk;

        HoldKind(CallDesk desk) {
            this.desk = desk;
        }

        @Override
        LeaseHold of(Object result) {
            return new LeaseHold((LeasedHold) result, desk);
        }

        /** A grant counts only if the lease still runs when it is handed over. */
        @Override
        void handingOver(LeaseHold value) {
            if (!value.isHeld()) {
                giveBack(value);
                throw new HoldLostException(
                        value + " was granted, but its lease ended or came into doubt before it could be"
                                + " handed over; it does not count and is given back");
            }
        }

        @Override
        void giveBack(LeaseHold value) {
            var unused = value.releaseAsync();
        }
    }

    private static final class OrHeld extends CallKind<Optional<LeaseHold>> {
        private final HoldKind kind;

        OrHeld(CallDesk desk) {
            this.kind = new HoldKind(desk);
        }

        @Override
        Optional<LeaseHold> of(Object result) {
            return Optional.of(kind.of(result));
        }

        @Override
        @Nullable
        Optional<LeaseHold> ofFailure(Failure failure) {
            return failure.kind() == Failure.Kind.HELD ? Optional.empty() : null;
        }

        @Override
        void handingOver(Optional<LeaseHold> value) {
            value.ifPresent(kind::handingOver);
        }

        @Override
        void giveBack(Optional<LeaseHold> value) {
            value.ifPresent(kind::giveBack);
        }
    }
}
