package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.model.ErrorCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Several locks at once: all of them or none. Immutable and cheap.
 *
 * <p>They are taken one after the other in the order of their paths, whatever order they are named in. Whoever takes several locks only
 * in this way never waits in a circle with others that do.
 *
 * <p>While one is waited for, those before it are held. If one of them is lost meanwhile, or one cannot be had, all are given back.
 *
 * <p><b>Thread:</b> any. The session is opened by the first acquire.
 *
 * <p>Every acquire may throw what those of {@link LockRecipe} do; {@link HoldLostException} also if one was lost while another was
 * waited for. Nothing is held then.
 */
public final class MultiLockRecipe {
    /** Most locks at once: while the last is waited for, all before it keep others waiting. */
    public static final int MAX_LOCKS = 100;

    private final CallDesk desk;
    private final HoldRegistry registry;
    /** In the order of their paths, no two alike. */
    private final List<AcquireSpec> specs;

    MultiLockRecipe(CallDesk desk, HoldRegistry registry, List<AcquireSpec> specs) {
        this.desk = desk;
        this.registry = registry;
        this.specs =
                specs.stream().sorted(Comparator.comparing(AcquireSpec::lock)).toList();
        if (specs.isEmpty() || specs.size() > MAX_LOCKS) {
            throw new RefusedException(
                    ErrorCode.INVALID, specs.size() + " locks at once: 1 to " + MAX_LOCKS + " are allowed");
        }
        for (int i = 1; i < this.specs.size(); i++) {
            if (this.specs.get(i).lock().equals(this.specs.get(i - 1).lock())) {
                throw new RefusedException(
                        ErrorCode.INVALID,
                        "lock " + this.specs.get(i).lock()
                                + " is named twice; locks are not re-entrant, so it would wait for itself");
            }
        }
    }

    /** In the order in which they are taken. */
    public List<String> paths() {
        return specs.stream().map(spec -> spec.lock().value()).toList();
    }

    /**
     * Waits until all are held, without bound.
     *
     * @throws InterruptedException if interrupted; nothing is held or left in a queue
     */
    public MultiHold acquire() throws InterruptedException {
        return await(Long.MAX_VALUE)
                .orElseThrow(() -> new IllegalStateException("broken invariant: a wait without bound has ended"));
    }

    /**
     * Waits for at most so long, over all of them together; zero tries each once. The cell's first answers may take up to the call
     * timeout, over all of them together.
     *
     * @return empty if any is still another's; nothing is held or left in a queue
     * @throws InterruptedException if interrupted; nothing is held or left in a queue
     */
    public Optional<MultiHold> acquire(Duration maxWait) throws InterruptedException {
        return await(Durations.waitNanos(maxWait));
    }

    /** Takes them if all are free now. */
    public Optional<MultiHold> tryAcquire() {
        try {
            return await(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallInterruptedException(
                    HoldfastException.Outcome.DEFINITE_NOT_DONE, "interrupted while trying " + this);
        }
    }

    /** The twin of {@link #acquire()}; cancelling it gives all back. */
    public CompletableFuture<MultiHold> acquireAsync() {
        return async(Long.MAX_VALUE, found -> found.orElseThrow());
    }

    /** The twin of {@link #acquire(Duration)}. */
    public CompletableFuture<Optional<MultiHold>> acquireAsync(Duration maxWait) {
        return async(Durations.waitNanos(maxWait), found -> found);
    }

    /** The twin of {@link #tryAcquire}. */
    public CompletableFuture<Optional<MultiHold>> tryAcquireAsync() {
        return async(0, found -> found);
    }

    private Optional<MultiHold> await(long waitNanos) throws InterruptedException {
        desk.checkMayBlock();
        MultiAcquire run = new MultiAcquire(desk, registry, specs, waitNanos);
        run.start();
        try {
            return run.await();
        } catch (InterruptedException e) {
            run.cancel();
            throw e;
        }
    }

    private <T> CompletableFuture<T> async(long waitNanos, Function<Optional<MultiHold>, T> convert) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        MultiAcquire run = new MultiAcquire(desk, registry, specs, waitNanos);
        run.start();
        var unused = run.result()
                .whenComplete((found, problem) -> desk.callbacks.execute(() -> {
                    try {
                        T value = convert.apply(run.handOver());
                        if (!outer.complete(value)) {
                            run.cancel();
                        }
                    } catch (RuntimeException failed) {
                        outer.completeExceptionally(failed);
                    }
                }));
        var unusedCancelling = outer.whenComplete((value, problem) -> {
            if (!run.result().isDone()) {
                run.cancel();
            }
        });
        return outer;
    }

    @Override
    public String toString() {
        return "locks " + paths();
    }
}
