package io.holdfast.fencing;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A guard that forgets with its process: for a resource that does so too, and is written by one process alone (a server's
 * own state in memory, a device that one process drives). A resource that outlives the process needs a durable form.
 *
 * <p><b>Thread:</b> any; grants of one lock wait for each other, those of different locks do not.
 *
 * <p><b>Invariants:</b> those of {@link FencingGuard}; a fence is never dropped, so at the limit of locks a new name is
 * refused rather than an old one forgotten.
 *
 * <p><b>Source:</b> R4.7.
 */
public final class MemoryGuard implements FencingGuard {
    /** Locks that a guard remembers unless told otherwise. */
    public static final int DEFAULT_MAX_LOCKS = 100_000;

    private final int maxLocks;
    private final ConcurrentHashMap<LockName, Gate> gates = new ConcurrentHashMap<>();
    /** Counts before a gate is made, so that the limit holds under any interleaving. */
    private final AtomicInteger gatesMade = new AtomicInteger();

    private final LongAdder rejections = new LongAdder();

    public MemoryGuard() {
        this(DEFAULT_MAX_LOCKS);
    }

    /**
     * A guard with another limit.
     *
     * @param maxLocks how many locks it may remember; above zero
     */
    public MemoryGuard(int maxLocks) {
        if (maxLocks <= 0) {
            throw new IllegalArgumentException("maxLocks must be above 0, it is " + maxLocks);
        }
        this.maxLocks = maxLocks;
    }

    @Override
    public void check(Grant grant) {
        guarded(grant, () -> grant);
    }

    /**
     * As {@link FencingGuard#guarded}; waits, without a bound, for a write under the same lock that has begun.
     *
     * @throws GuardFailedException if the lock is a new one and the limit of locks is reached
     */
    @Override
    public <T extends @Nullable Object, X extends Exception> T guarded(Grant grant, GuardedWrite<T, X> write) throws X {
        Objects.requireNonNull(grant, "a guard needs a grant, not null");
        Gate gate = gateOf(grant.lock());
        if (gate.turn.isHeldByCurrentThread()) {
            throw new IllegalStateException(
                    "a guarded write of lock '" + grant.lock() + "' must not ask its own guard about the same lock");
        }
        gate.turn.lock();
        try {
            if (!gate.fence.admits(grant)) {
                rejections.increment();
                throw new StaleTokenException(grant, gate.fence.lowest(grant.mode()));
            }
            gate.fence = gate.fence.raisedBy(grant);
            return write.run();
        } finally {
            gate.turn.unlock();
        }
    }

    @Override
    public Fence fence(LockName lock) {
        Gate gate = gates.get(lock);
        return gate == null ? Fence.NONE : gate.fence;
    }

    @Override
    public long rejections() {
        return rejections.sum();
    }

    private Gate gateOf(LockName lock) {
        return gates.computeIfAbsent(lock, name -> {
            if (gatesMade.incrementAndGet() > maxLocks) {
                gatesMade.decrementAndGet();
                throw new GuardFailedException(
                        "this guard remembers " + maxLocks + " locks, the most that it may, and '" + name
                                + "' is a new one: give it a higher limit (maxLocks)");
            }
            return new Gate();
        });
    }

    /** One lock's fence, and whose turn it is to look at it. */
    private static final class Gate {
        final ReentrantLock turn = new ReentrantLock();
        /** Written under {@link #turn}. */
        volatile Fence fence = Fence.NONE;
    }
}
