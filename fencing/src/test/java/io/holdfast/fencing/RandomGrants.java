package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that show random grants to one guard, and a slow, obviously right look at what came of it: the order of the guarded
 * writes, in which no grant may stand after one that overtakes it. The seed fixes what each thread shows; the guard's own order
 * between the threads is what is tested.
 */
final class RandomGrants {
    private static final int THREADS = 4;
    private static final int GRANTS = 60;

    private final GuardContract form;
    private final LockName lock;
    private final long seed;
    private final List<Grant> written = Collections.synchronizedList(new ArrayList<>());
    private final List<StaleTokenException> refused = Collections.synchronizedList(new ArrayList<>());

    RandomGrants(GuardContract form, String lockPrefix, long seed) {
        this.form = form;
        this.lock = new LockName(lockPrefix + "-" + seed);
        this.seed = seed;
    }

    void run() throws Exception {
        long rejectionsBefore = form.using(FencingGuard::rejections);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed * 1_000 + i);
                running.add(threads.submit(() -> showAll(random)));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(written.size() + refused.size()).isEqualTo(THREADS * GRANTS);
        assertThat(written).as("seed %d: some are accepted", seed).isNotEmpty();
        assertThat(refused).as("seed %d: some are refused", seed).isNotEmpty();
        noneAfterOneThatOvertakesIt();
        assertThat(form.using(FencingGuard::rejections) - rejectionsBefore).isEqualTo(refused.size());
    }

    private Void showAll(Random random) throws Exception {
        for (int i = 0; i < GRANTS; i++) {
            LockMode mode = form.knowsShared() && random.nextInt(3) > 0 ? LockMode.SHARED : LockMode.EXCLUSIVE;
            // rising on the whole, so that accepted and refused stay mixed to the end
            Grant grant = new Grant(lock, mode, new FencingToken(1 + i * 5L + random.nextInt(50)));
            try {
                form.using(guard -> guard.guarded(grant, () -> written.add(grant)));
            } catch (StaleTokenException e) {
                refused.add(e);
            }
        }
        return null;
    }

    private void noneAfterOneThatOvertakesIt() {
        for (int later = 0; later < written.size(); later++) {
            Grant grant = written.get(later);
            for (Grant earlier : written.subList(0, later)) {
                boolean counts = grant.mode() == LockMode.EXCLUSIVE || earlier.mode() == LockMode.EXCLUSIVE;
                assertThat(counts && earlier.token().compareTo(grant.token()) > 0)
                        .as("seed %d: %s written after %s", seed, grant, earlier)
                        .isFalse();
            }
        }
        for (StaleTokenException stale : refused) {
            assertThat(stale.accepted()).as("seed %d: %s", seed, stale).isGreaterThan(stale.token());
            assertThat(written)
                    .as("seed %d: what was said to be accepted was", seed)
                    .anyMatch(grant -> grant.token().equals(stale.accepted()));
        }
    }
}
