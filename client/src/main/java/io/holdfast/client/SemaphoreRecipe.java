package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A semaphore by its path: at most so many permits are held at a time, by whatever clients. Immutable and cheap.
 *
 * <p>Fair: served in order of arrival. The cell counts, not the clients: all that ask while permits are held or waited for must state
 * the same number, or are refused with {@link io.holdfast.model.ErrorCode#PERMITS_DIFFER}. A client that takes two has two handles.
 *
 * <p>A permit's token names the permit; it is no fence, since several are valid at a time and an older one may outlive a newer one. A
 * resource that must be protected from a paused holder needs one lock for each of its slots instead.
 *
 * <p><b>Thread:</b> any. The session is opened by the first acquire.
 *
 * <p>Every acquire may throw what those of {@link LockRecipe} do.
 *
 * <p><b>Source:</b> R4.2, ADR 0011.
 */
public final class SemaphoreRecipe {
    private final CallDesk desk;
    private final HoldRegistry registry;
    private final AcquireSpec spec;
    private final PlaceTaker<Permit> taker;

    SemaphoreRecipe(CallDesk desk, HoldRegistry registry, NodePath path, int permits) {
        this(desk, registry, Failures.checked(() -> new AcquireSpec(path, LockMode.PERMIT, 0, new byte[0], permits)));
    }

    private SemaphoreRecipe(CallDesk desk, HoldRegistry registry, AcquireSpec spec) {
        this.desk = desk;
        this.registry = registry;
        this.spec = spec;
        this.taker = new PlaceTaker<>(desk, registry, spec, new PlaceTaker.Handles<>(Permit::new, Permit::hold));
    }

    /**
     * If a permit ends because its session expired, it counts as held for so much longer (R4.6).
     *
     * @throws RefusedException unless it is from 0 to 60 s
     */
    public SemaphoreRecipe lockDelay(Duration delay) {
        long millis = Durations.toMillis(delay);
        return new SemaphoreRecipe(
                desk,
                registry,
                Failures.checked(
                        () -> new AcquireSpec(spec.lock(), spec.mode(), millis, spec.value(), spec.permits())));
    }

    public String path() {
        return spec.lock().value();
    }

    public int permits() {
        return spec.permits();
    }

    /**
     * Waits in the queue until a permit is held, without bound.
     *
     * @throws InterruptedException if interrupted; the place in the queue is removed
     */
    public Permit acquire() throws InterruptedException {
        return taker.take();
    }

    /**
     * Waits in the queue for at most so long; zero tries once. The cell's first answer may take up to the call timeout.
     *
     * @return empty if none became free; nothing is left in the queue
     * @throws InterruptedException if interrupted; the place in the queue is removed
     */
    public Optional<Permit> acquire(Duration maxWait) throws InterruptedException {
        return taker.take(maxWait);
    }

    /** Takes one if it is free now; answers at once. */
    public Optional<Permit> tryAcquire() {
        return taker.tryTake();
    }

    /** The twin of {@link #acquire()}; cancelling it removes the place in the queue. */
    public CompletableFuture<Permit> acquireAsync() {
        return taker.takeAsync();
    }

    /** The twin of {@link #acquire(Duration)}. */
    public CompletableFuture<Optional<Permit>> acquireAsync(Duration maxWait) {
        return taker.takeAsync(maxWait);
    }

    /** The twin of {@link #tryAcquire}. */
    public CompletableFuture<Optional<Permit>> tryAcquireAsync() {
        return taker.tryTakeAsync();
    }

    @Override
    public String toString() {
        return "semaphore " + spec.lock() + " of " + spec.permits() + " permits";
    }
}
