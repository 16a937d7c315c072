package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.SessionEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes places in one queue and makes handles of a recipe's own kind of them: permits, leads, memberships.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> 1. A handle is made of each grant that counts (R4.3), and of nothing else. 2. A grant that nobody wants any
 * more is given back (R4.4).
 */
final class PlaceTaker<T> {
    private final CallDesk desk;
    private final AcquireSpec spec;
    private final CallKind<T> kind;

    /** How a handle and its hold find each other. */
    record Handles<T>(Function<LockHold, T> make, Function<T, LockHold> holdOf) {}

    PlaceTaker(CallDesk desk, HoldRegistry registry, AcquireSpec spec, Handles<T> handles) {
        this.desk = desk;
        this.spec = spec;
        this.kind = new HandleKind<>(registry.acquire(desk), handles);
    }

    private static final class HandleKind<T> extends CallKind<T> {
        private final CallKind<LockHold> holds;
        private final Handles<T> handles;

        HandleKind(CallKind<LockHold> holds, Handles<T> handles) {
            this.holds = holds;
            this.handles = handles;
        }

        @Override
        T of(Object result) {
            return handles.make().apply(holds.of(result));
        }

        @Override
        void handingOver(T value) {
            holds.handingOver(handles.holdOf().apply(value));
        }

        @Override
        void giveBack(T value) {
            holds.giveBack(handles.holdOf().apply(value));
        }
    }

    /** Held by others, or still so when the time was over, is an empty answer. */
    private static final class OrHeld<T> extends CallKind<Optional<T>> {
        private final CallKind<T> kind;

        OrHeld(CallKind<T> kind) {
            this.kind = kind;
        }

        @Override
        Optional<T> of(Object result) {
            return Optional.of(kind.of(result));
        }

        @Override
        @Nullable
        Optional<T> ofFailure(Failure failure) {
            return failure.kind() == Failure.Kind.HELD ? Optional.empty() : null;
        }

        @Override
        void handingOver(Optional<T> value) {
            value.ifPresent(kind::handingOver);
        }

        @Override
        void giveBack(Optional<T> value) {
            value.ifPresent(kind::giveBack);
        }
    }

    /** Waits without bound; an interrupt removes the place. */
    T take() throws InterruptedException {
        return desk.await(kind, waiting(Long.MAX_VALUE));
    }

    Optional<T> take(Duration maxWait) throws InterruptedException {
        return desk.await(new OrHeld<>(kind), waiting(Durations.waitNanos(maxWait)));
    }

    Optional<T> tryTake() {
        return desk.call(new OrHeld<>(kind), waiting(0));
    }

    CompletableFuture<T> takeAsync() {
        return desk.async(kind, waiting(Long.MAX_VALUE));
    }

    CompletableFuture<Optional<T>> takeAsync(Duration maxWait) {
        return desk.async(new OrHeld<>(kind), waiting(Durations.waitNanos(maxWait)));
    }

    CompletableFuture<Optional<T>> tryTakeAsync() {
        return desk.async(new OrHeld<>(kind), waiting(0));
    }

    private LongFunction<SessionEvent> waiting(long waitNanos) {
        return id -> new SessionEvent.Acquire(id, spec, waitNanos, desk.timeoutNanos());
    }
}
