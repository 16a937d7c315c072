package io.holdfast.client;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which handle stands for which hold, so that a loss finds its listeners. Also how acquires end.
 *
 * <p>The hold keeps its handle, and the session machine the hold until it is over: a loss is told also to those who have dropped the
 * handle and only listen (C35).
 */
final class HoldRegistry {
    /** Guarded by itself: losses whose listeners have not all returned. */
    private final Map<Hold, CompletableFuture<?>> running = new IdentityHashMap<>();

    private static LockHold handle(Hold hold, CallDesk desk) {
        LockHold handle = new LockHold(hold, desk);
        hold.keep(handle);
        return handle;
    }

    /** Called on the loop's thread. */
    void lost(Hold hold, String reason) {
        if (hold.handle() instanceof LockHold handle) {
            CompletableFuture<?> told = handle.lost(reason);
            synchronized (running) {
                running.values().removeIf(CompletableFuture::isDone);
                running.put(hold, told);
            }
        }
    }

    /** Those of these holds' losses whose listeners have not all returned. */
    List<CompletableFuture<?>> running(List<Hold> holds) {
        synchronized (running) {
            return holds.stream().map(running::get).filter(Objects::nonNull).collect(Collectors.toList());
        }
    }

    CallKind<LockHold> acquire(CallDesk desk) {
        return new CallKind<>() {
            @Override
            LockHold of(Object result) {
                return handle((Hold) result, desk);
            }

            @Override
            void handingOver(LockHold value) {
                checkHeld(value);
            }

            @Override
            void giveBack(LockHold value) {
                var unused = value.releaseAsync();
            }
        };
    }

    /** Held by another, or still so when the time was over, is an empty answer. */
    CallKind<Optional<LockHold>> tryAcquire(CallDesk desk) {
        CallKind<LockHold> acquire = acquire(desk);
        return new CallKind<>() {
            @Override
            Optional<LockHold> of(Object result) {
                return Optional.of(acquire.of(result));
            }

            @Override
            @Nullable
            Optional<LockHold> ofFailure(Failure failure) {
                return failure.kind() == Failure.Kind.HELD ? Optional.empty() : null;
            }

            @Override
            void handingOver(Optional<LockHold> value) {
                value.ifPresent(HoldRegistry::checkHeld);
            }

            @Override
            void giveBack(Optional<LockHold> value) {
                value.ifPresent(acquire::giveBack);
            }
        };
    }

    /** A grant counts only if the session is SAFE when it is handed to the application (R4.3). */
    private static void checkHeld(LockHold hold) {
        if (!hold.isHeld()) {
            var unused = hold.releaseAsync();
            throw new HoldLostException(hold + " was granted, but the local lease ended before it could be handed over;"
                    + " it does not count and is given back");
        }
    }
}
