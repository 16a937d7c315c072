package io.holdfast.client;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows who stands at a double barrier until something is so. Entrance and exit are read in one linearizable read, so that no state is
 * seen that never was.
 *
 * <p><b>Thread:</b> the one that made it; what it follows is told on the callback executor.
 */
final class BarrierWatch implements AutoCloseable {
    private final CallDesk desk;
    private final NodePath path;
    private final List<Subscription> subscriptions = new ArrayList<>();

    BarrierWatch(CallDesk desk, NodePath path) {
        this.desk = desk;
        this.path = path;
    }

    /**
     * Completed with the first result that is not null, or with the loss of {@code me}.
     *
     * @param found what is looked for in a state; null if it is not there yet
     */
    <R> CompletableFuture<R> await(Function<BarrierState, @Nullable R> found, Membership me) {
        CompletableFuture<R> result = new CompletableFuture<>();
        WatchListener<BarrierState> listener = new WatchListener<>() {
            @Override
            public void onState(BarrierState state) {
                R there = found.apply(state);
                if (there != null) {
                    result.complete(there);
                }
            }

            @Override
            public void onEnded(HoldfastException reason) {
                result.completeExceptionally(reason);
            }
        };
        subscriptions.add(me.onLost((lost, reason) ->
                result.completeExceptionally(new HoldLostException(lost + " was lost at the barrier: " + reason))));
        subscriptions.add(Following.children(desk, path.child(DoubleBarrier.IN), this::read, listener));
        subscriptions.add(Following.children(desk, path.child(DoubleBarrier.OUT), this::read, listener));
        return result;
    }

    private CompletableFuture<BarrierState> read() {
        Query all = new Query.ListPlaces(path, NodePath.ROOT, Limits.MAX_PAGE_ENTRIES);
        return desk.async(
                CallDesk.kind(Answer.Places.class, this::state),
                id -> new SessionEvent.Read(id, all, desk.timeoutNanos()));
    }

    private BarrierState state(Answer.Places page) {
        if (page.more()) {
            throw new RefusedException(
                    ErrorCode.LIMIT,
                    "at and below " + path
                            + " are more places than fit into a page; give the barrier a path of its own");
        }
        BarrierState state = new BarrierState();
        for (Answer.PlaceInfo place : page.places()) {
            if (place.held() && place.lock().equals(path.child(DoubleBarrier.IN))) {
                state.entrance().add(place.token().value());
            } else if (place.held() && place.lock().equals(path.child(DoubleBarrier.OUT))) {
                state.addAtExit(new String(place.value(), StandardCharsets.UTF_8));
            }
        }
        return state;
    }

    /** Empty if it is not done in time. */
    static <R> Optional<R> get(CompletableFuture<R> future, long maxNanos) throws InterruptedException {
        try {
            return Optional.of(maxNanos == Long.MAX_VALUE ? future.get() : future.get(maxNanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
    }
}
