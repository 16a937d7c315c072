package io.holdfast.chaos.load;

import io.holdfast.chaos.fence.FenceClient;
import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes locks that all processes want, works under them on the fenced resource, and gives them back (C05, C57). */
final class LockWorker extends Worker {
    private static final int EXCLUSIVE_LOCKS = 4;
    private static final int SHARED_LOCKS = 2;
    private static final long LOG_SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final HoldfastClient client;
    private final LoadConfig config;
    private @Nullable FenceClient fence;

    LockWorker(HoldfastClient client, LoadConfig config, HistoryWriter history, SplittableRandom random) {
        super(history, random);
        this.client = client;
        this.config = config;
    }

    @Override
    void once() throws InterruptedException {
        boolean sharable = chance(30);
        boolean shared = sharable && chance(70);
        String path = sharable ? "/chaos/lock/s" + between(0, SHARED_LOCKS) : exclusiveLock(random);
        LockRecipe lock = shared ? client.lock(path).shared() : client.lock(path);
        long invoked = System.nanoTime();
        Optional<LockHold> taken = take(lock);
        if (taken.isEmpty()) {
            pause(between(1, 20));
            return;
        }
        LockHold hold = taken.get();
        long token = hold.token().value();
        history.granted(path, token, shared, invoked);
        var unused = hold.onLost(
                (which, reason) -> history.lost(path, token, client.state().name(), reason));
        try {
            work(hold, shared, workMillis());
        } finally {
            hold.close();
        }
        pause(between(0, 10));
    }

    static String exclusiveLock(SplittableRandom random) {
        return "/chaos/lock/x" + random.nextInt(EXCLUSIVE_LOCKS);
    }

    private Optional<LockHold> take(LockRecipe lock) throws InterruptedException {
        int way = random.nextInt(10);
        if (way < 2) {
            return lock.tryAcquire();
        }
        if (way < 9) {
            return lock.acquire(Duration.ofMillis(between(100, 5_000)));
        }
        // Changes its mind: whatever the cell did must be undone.
        CompletableFuture<LockHold> asked = lock.acquireAsync();
        pause(between(0, 30));
        asked.cancel(false);
        return Optional.empty();
    }

    private long workMillis() {
        int kind = random.nextInt(20);
        if (kind < 15) {
            return between(2, 60);
        }
        return kind < 19 ? between(100, 1_000) : between(1_000, 8_000);
    }

    private void work(LockHold hold, boolean shared, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        String path = hold.path();
        long token = hold.token().value();
        long logged = Long.MIN_VALUE;
        long lastBefore = 0;
        long lastAfter = 0;
        do {
            long before = System.nanoTime();
            boolean held = hold.isHeld();
            long after = System.nanoTime();
            if (!held) {
                break;
            }
            lastBefore = before;
            lastAfter = after;
            if (logged == Long.MIN_VALUE || after - logged > LOG_SAMPLE_NANOS) {
                history.held(path, token, shared, before, after);
                logged = after;
            }
            write(hold, shared);
        } while (System.nanoTime() < end && !isFinishing() && pause(between(2, 20)));
        if (lastAfter != logged && lastAfter != 0) {
            history.held(path, token, shared, lastBefore, lastAfter);
        }
    }

    /** A write that was decided on while the lock was held; it may arrive much later. */
    private void write(LockHold hold, boolean shared) {
        try {
            if (fence == null) {
                fence = new FenceClient(config.fenceHost(), config.fencePort());
            }
            boolean accepted = fence.write(hold.path(), hold.token().value(), shared, config.name());
            history.fenced(hold.path(), hold.token().value(), accepted, hold.isHeld());
        } catch (IOException gone) {
            fence = null;
        }
    }

    @Override
    void end() {
        if (fence != null) {
            fence.close();
        }
    }
}
