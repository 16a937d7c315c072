package io.holdfast.cli.lock;

import io.holdfast.client.Election;
import io.holdfast.client.Leadership;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@link LockSession} takes: a lock, or the lead of an election. <b>Thread:</b> any. */
interface Taking {
    /**
     * Begins to take it. Cancelling it ends the waiting.
     *
     * @param limit how long to wait in the queue; null without bound
     * @return empty if another had it for so long
     */
    CompletableFuture<Optional<TakenHold>> begin(@Nullable Duration limit);

    static Taking of(LockRecipe lock) {
        return limit -> limit == null
                ? mapped(lock.acquireAsync(), hold -> Optional.of(held(hold)))
                : mapped(lock.acquireAsync(limit), found -> found.map(Taking::held));
    }

    static Taking of(Election election, String value) {
        return limit -> limit == null
                ? mapped(election.campaignAsync(value), lead -> Optional.of(held(lead)))
                : mapped(election.campaignAsync(value, limit), found -> found.map(Taking::held));
    }

    /** Cancelling it cancels the source, which removes the place in the queue. */
    private static <H> CompletableFuture<Optional<TakenHold>> mapped(
            CompletableFuture<H> source, Function<H, Optional<TakenHold>> convert) {
        CompletableFuture<Optional<TakenHold>> mapped = source.thenApply(convert);
        var unused = mapped.whenComplete((hold, problem) -> source.cancel(true));
        return mapped;
    }

    private static TakenHold held(LockHold hold) {
        return new TakenHold() {
            @Override
            public String path() {
                return hold.path();
            }

            @Override
            public long token() {
                return hold.token().value();
            }

            @Override
            public long remainingNanos() {
                return hold.remaining().toNanos();
            }

            @Override
            public long stopWithinNanos() {
                return hold.stopWithin().toNanos();
            }

            @Override
            public void onLost(Consumer<String> listener) {
                hold.onLost((lost, reason) -> listener.accept(reason));
            }

            @Override
            public CompletableFuture<?> release() {
                return hold.releaseAsync();
            }
        };
    }

    private static TakenHold held(Leadership lead) {
        return new TakenHold() {
            @Override
            public String path() {
                return lead.path();
            }

            @Override
            public long token() {
                return lead.token().value();
            }

            @Override
            public long remainingNanos() {
                return lead.remaining().toNanos();
            }

            @Override
            public long stopWithinNanos() {
                return lead.stopWithin().toNanos();
            }

            @Override
            public void onLost(Consumer<String> listener) {
                lead.onLost((lost, reason) -> listener.accept(reason));
            }

            @Override
            public CompletableFuture<?> release() {
                return lead.resignAsync();
            }
        };
    }
}
