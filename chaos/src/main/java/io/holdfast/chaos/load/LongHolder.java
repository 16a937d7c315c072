package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Keeps a lock of its own for as long as it may: replicas come and go, the hold stays (N2, C74). */
final class LongHolder extends Worker {
    private static final long SAMPLE_MILLIS = 250;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HoldfastClient client;
    private final String path;
    /** Written by this thread, and by the one that tells of losses. */
    private volatile @Nullable LockHold hold;

    LongHolder(HoldfastClient client, String path, HistoryWriter history, SplittableRandom random) {
        super(history, random);
        this.client = client;
        this.path = path;
    }

    @Override
    void once() throws InterruptedException {
        LockHold held = hold;
        if (held == null) {
            take();
            return;
        }
        long before = System.nanoTime();
        if (held.isHeld()) {
            history.held(path, held.token().value(), false, before, System.nanoTime());
        }
        pause(SAMPLE_MILLIS);
    }

    private void take() throws InterruptedException {
        long invoked = System.nanoTime();
        Optional<LockHold> taken = client.lock(path).acquire(PATIENCE);
        if (taken.isPresent()) {
            LockHold held = taken.get();
            hold = held;
            long token = held.token().value();
            history.granted(path, token, false, invoked);
            var unused = held.onLost((which, reason) -> {
                history.lost(path, token, client.state().name(), reason);
                hold = null;
            });
        }
    }

    @Override
    void end() {
        LockHold held = hold;
        if (held != null) {
            held.close();
        }
    }
}
