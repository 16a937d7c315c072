package io.holdfast.client;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One member that comes to a {@link DoubleBarrier} without blocking.
 *
 * <p><b>Thread:</b> any; goes on on the callback executor.
 *
 * <p><b>Invariants:</b> 1. Either the result is a pass, or the member leaves again. 2. The round is followed only until it is found, or
 * nobody wants it any more.
 *
 * @param <T> what the caller gets
 */
final class BarrierEntry<T> {
    private final DoubleBarrier barrier;
    private final long waitNanos;
    private final Function<Optional<BarrierPass>, T> convert;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    /** @param waitNanos how long to wait for the others; {@link Long#MAX_VALUE} without bound */
    BarrierEntry(DoubleBarrier barrier, long waitNanos, Function<Optional<BarrierPass>, T> convert) {
        this.barrier = barrier;
        this.waitNanos = waitNanos;
        this.convert = convert;
    }

    CompletableFuture<T> begin() {
        CompletableFuture<Membership> joining = barrier.entrance().joinAsync("");
        var unusedCancelling = result.whenComplete((pass, problem) -> joining.cancel(true));
        var unused = joining.whenComplete((me, problem) -> {
            if (problem != null) {
                result.completeExceptionally(problem);
            } else {
                await(me);
            }
        });
        return result;
    }

    private void await(Membership me) {
        BarrierWatch watch = barrier.watch();
        CompletableFuture<Optional<List<Long>>> round =
                barrier.roundOf(me, watch).thenApply(Optional::of);
        if (waitNanos != Long.MAX_VALUE) {
            round.completeOnTimeout(Optional.empty(), waitNanos, TimeUnit.NANOSECONDS);
        }
        var unusedCancelling = result.whenComplete((pass, problem) -> round.cancel(true));
        var unused = round.whenCompleteAsync(
                (found, problem) -> {
                    watch.close();
                    over(me, found, problem);
                },
                barrier::execute);
    }

    private void over(Membership me, @Nullable Optional<List<Long>> found, @Nullable Throwable problem) {
        if (found != null && found.isPresent()) {
            BarrierPass pass = new BarrierPass(barrier, me, found.get());
            if (!result.complete(convert.apply(Optional.of(pass)))) {
                var unused = me.leaveAsync(); // cancelled at the same moment
            }
            return;
        }
        var unused = me.leaveAsync().whenComplete((left, unanswered) -> {
            if (problem != null) {
                result.completeExceptionally(Failures.causeOf(problem));
            } else {
                result.complete(convert.apply(Optional.empty()));
            }
        });
    }
}
