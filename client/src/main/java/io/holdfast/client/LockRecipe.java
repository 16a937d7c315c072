package io.holdfast.client;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * A lock by its path and how to take it. Immutable and cheap; it holds nothing itself, and works with whatever session its client
 * has at the time.
 *
 * <p>Fair: served in order of arrival. Not re-entrant: a second acquire by the same client queues behind the first.
 *
 * <p><b>Thread:</b> any. The session is opened by the first acquire.
 *
 * <p>Every acquire may throw {@link UnreachableException} if no leader answers within the call timeout (nothing is held, and
 * what may be left in the queue is removed as soon as the cell answers), {@link SessionExpiredException} if the session is over,
 * {@link HoldLostException} if a grant came too late to count (R4.3), {@link RefusedException}.
 */
public final class LockRecipe {
    private final CallDesk desk;
    private final HoldRegistry registry;
    private final AcquireSpec spec;

    LockRecipe(CallDesk desk, HoldRegistry registry, NodePath path) {
        this(desk, registry, Failures.checked(() -> new AcquireSpec(path, LockMode.EXCLUSIVE, 0, new byte[0])));
    }

    private LockRecipe(CallDesk desk, HoldRegistry registry, AcquireSpec spec) {
        this.desk = desk;
        this.registry = registry;
        this.spec = spec;
    }

    /** The same lock, taken beside other shared holders. */
    public LockRecipe shared() {
        return with(new AcquireSpec(spec.lock(), LockMode.SHARED, spec.lockDelayMillis(), spec.value()));
    }

    /**
     * If a hold ends because its session expired, others wait so much longer (R4.6).
     *
     * @throws RefusedException unless it is from 0 to 60 s
     */
    public LockRecipe lockDelay(Duration delay) {
        long millis = Durations.toMillis(delay);
        return with(Failures.checked(() -> new AcquireSpec(spec.lock(), spec.mode(), millis, spec.value())));
    }

    /**
     * Bytes kept at the place for others to read.
     *
     * @throws RefusedException if they are more than 65,536
     */
    public LockRecipe value(byte[] bytes) {
        byte[] copy = bytes.clone();
        return with(Failures.checked(() -> new AcquireSpec(spec.lock(), spec.mode(), spec.lockDelayMillis(), copy)));
    }

    private LockRecipe with(AcquireSpec changed) {
        return new LockRecipe(desk, registry, changed);
    }

    public String path() {
        return spec.lock().value();
    }

    /**
     * Waits in the queue until it is held, without bound.
     *
     * @throws InterruptedException if interrupted; the place in the queue is removed
     */
    public LockHold acquire() throws InterruptedException {
        return desk.await(registry.acquire(desk), waiting(Long.MAX_VALUE));
    }

    /**
     * Waits in the queue for at most so long; zero tries once. The cell's first answer may take up to the call timeout.
     *
     * @return empty if the lock is still another's; nothing is left in the queue
     * @throws InterruptedException if interrupted; the place in the queue is removed
     */
    public Optional<LockHold> acquire(Duration maxWait) throws InterruptedException {
        return desk.await(registry.tryAcquire(desk), waiting(Durations.waitNanos(maxWait)));
    }

    /** Takes it if it is free now; answers at once. */
    public Optional<LockHold> tryAcquire() {
        return desk.call(registry.tryAcquire(desk), waiting(0));
    }

    /** The twin of {@link #acquire()}; cancelling it removes the place in the queue. */
    public CompletableFuture<LockHold> acquireAsync() {
        return desk.async(registry.acquire(desk), waiting(Long.MAX_VALUE));
    }

    /** The twin of {@link #acquire(Duration)}. */
    public CompletableFuture<Optional<LockHold>> acquireAsync(Duration maxWait) {
        return desk.async(registry.tryAcquire(desk), waiting(Durations.waitNanos(maxWait)));
    }

    /** The twin of {@link #tryAcquire}. */
    public CompletableFuture<Optional<LockHold>> tryAcquireAsync() {
        return desk.async(registry.tryAcquire(desk), waiting(0));
    }

    /** Like {@link #acquire()}; an interrupt is only noted and set again at the end, and the place in the queue is kept. */
    LockHold acquireUninterruptibly() {
        return desk.awaitUninterruptibly(registry.acquire(desk), waiting(Long.MAX_VALUE));
    }

    /**
     * This lock as a {@link java.util.concurrent.locks.Lock}, held by the thread that takes it. Each call makes a view of its own, that
     * knows nothing of the holds of others.
     */
    public LockView asLock() {
        return new LockView(this, new LockView.Holds());
    }

    /** This lock as a {@link java.util.concurrent.locks.ReadWriteLock}: taken shared to read, exclusively to write. */
    public ReadWriteLockView asReadWriteLock() {
        return new ReadWriteLockView(
                with(new AcquireSpec(spec.lock(), LockMode.EXCLUSIVE, spec.lockDelayMillis(), spec.value())));
    }

    AcquireSpec spec() {
        return spec;
    }

    private LongFunction<SessionEvent> waiting(long waitNanos) {
        return id -> new SessionEvent.Acquire(id, spec, waitNanos, desk.timeoutNanos());
    }

    @Override
    public String toString() {
        return "lock " + spec.lock() + (spec.mode() == LockMode.SHARED ? " (shared)" : "");
    }
}
