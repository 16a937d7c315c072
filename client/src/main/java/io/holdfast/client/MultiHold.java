package io.holdfast.client;

import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Several locks, all held. They belong to whoever has this object, not to a thread. If one is lost, {@link #isHeld} is false; the
 * others stay until they are released.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> R4.3, R4.4, R4.5.
 */
public final class MultiHold implements AutoCloseable {
    private final CallDesk desk;
    /** In the order of their paths. */
    private final List<LockHold> holds;

    MultiHold(CallDesk desk, List<LockHold> holds) {
        this.desk = desk;
        this.holds = holds;
    }

    /** Told once if any of the locks is lost for good: the first of them. */
    @FunctionalInterface
    public interface LostListener {
        void lost(MultiHold hold, LockHold lost, String reason);
    }

    /** The single holds, in the order of their paths. */
    public List<LockHold> holds() {
        return holds;
    }

    /** Each lock's fencing token by its path, in the order of the paths: each resource is shown the token of the lock that protects it. */
    public Map<String, FencingToken> tokens() {
        Map<String, FencingToken> tokens = new LinkedHashMap<>();
        holds.forEach(hold -> tokens.put(hold.path(), hold.token()));
        return tokens;
    }

    /**
     * The fencing token of one lock.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public FencingToken token(String path) {
        return holds.stream()
                .filter(hold -> hold.path().equals(path))
                .findFirst()
                .map(LockHold::token)
                .orElseThrow(() -> new IllegalArgumentException("lock '" + path + "' is none of " + this));
    }

    /** Whether all may be acted on right now. */
    public boolean isHeld() {
        return holds.stream().allMatch(LockHold::isHeld);
    }

    /** How long all will still be held if the cell confirms nothing more; zero if one is not held. */
    public Duration remaining() {
        return holds.stream().map(LockHold::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    /**
     * Returns if all are held right now.
     *
     * @throws JeopardyException if the local lease is over or in doubt; the holds may come back
     * @throws HoldLostException if one is gone for good, or was released
     */
    public void ensureHeld() {
        holds.forEach(LockHold::ensureHeld);
    }

    /**
     * How much time is left to bring the protected work to an end after an operator broke one of these or expired their session, as
     * {@link LockHold#stopWithin}: the shortest of those that are being ended. Zero if none is.
     */
    public Duration stopWithin() {
        return holds.stream()
                .map(LockHold::stopWithin)
                .filter(left -> !left.isZero())
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /**
     * Tells once, on the callback executor, if any of them is lost for good; at once if one is already. When an operator ended it,
     * nobody else is granted that lock before the listener has returned or {@link #stopWithin} is over.
     */
    public Subscription onLost(LostListener listener) {
        Objects.requireNonNull(listener, "listener");
        AtomicBoolean told = new AtomicBoolean();
        List<Subscription> subscriptions = holds.stream()
                .map(hold -> hold.onLost((lost, reason) -> {
                    if (told.compareAndSet(false, true)) {
                        listener.lost(this, lost, reason);
                    }
                }))
                .toList();
        return () -> subscriptions.forEach(Subscription::close);
    }

    /**
     * Gives all back and waits for the answers, at most the call timeout over all of them. None is held from before the first release is
     * sent.
     *
     * @return true if all of them were removed, false if one was gone already
     * @throws UnknownOutcomeException if the cell did not answer in time; the releases are repeated in the background until they are
     *     answered or the session ends
     */
    public boolean release() {
        CompletableFuture<Boolean> begun = begin();
        Optional<Boolean> removed;
        try {
            removed = Optional.ofNullable(desk.within(begun));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallInterruptedException(
                    HoldfastException.Outcome.UNKNOWN,
                    "interrupted while waiting for the release of " + this
                            + " to be answered; it goes on in the background");
        }
        return removed.orElseThrow(() -> new UnknownOutcomeException("release of " + this + " was not answered within "
                + desk.callTimeout + "; it is repeated in the background until it is answered or the session ends"));
    }

    /** The non-blocking twin of {@link #release}; goes on until answered or the session ends. */
    public CompletableFuture<Boolean> releaseAsync() {
        CompletableFuture<Boolean> outer = new CompletableFuture<>();
        var unused = begin().whenComplete((removed, problem) -> desk.callbacks.execute(() -> {
            if (problem == null) {
                outer.complete(removed);
            } else {
                outer.completeExceptionally(problem);
            }
        }));
        return outer;
    }

    /** In the order opposite to that in which they were taken. */
    private CompletableFuture<Boolean> begin() {
        holds.forEach(LockHold::stopHolding); // R4.4: none is held from before the first release is sent
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (int i = holds.size() - 1; i >= 0; i--) {
            all = all.thenCombine(holds.get(i).begin(), Boolean::logicalAnd);
        }
        return all;
    }

    /** {@link #release} that never throws: an unanswered release goes on in the background. */
    @Override
    public void close() {
        try {
            release();
        } catch (HoldfastException e) {
            // it goes on in the background, and nothing is held
            return;
        }
    }

    @Override
    public String toString() {
        return "holds of " + tokens();
    }
}
