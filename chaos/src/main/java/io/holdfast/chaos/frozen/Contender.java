package io.holdfast.chaos.frozen;

import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Tries to take, through the other replicas, the lock that is held all the time. <b>Thread:</b> its own. */
final class Contender implements Runnable {
    private static final long PAUSE_MILLIS = 100;

    private final LockRecipe lock;
    private final Verdict verdict;
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean finished;

    Contender(HoldfastClient client, String path, Verdict verdict) {
        this.lock = client.lock(path);
        this.verdict = verdict;
    }

    long refused() {
        return refused.get();
    }

    void finish() {
        finished = true;
    }

    @Override
    public void run() {
        while (!finished) {
            try {
                Optional<LockHold> taken = lock.tryAcquire();
                if (taken.isPresent()) {
                    verdict.finding("N1", "%s was granted twice: the second time as %s", lock.path(), taken.get());
                    taken.get().close();
                } else {
                    refused.incrementAndGet();
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (HoldfastException noAnswer) {
                // There is no leader for a moment.
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }
}
