package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing is bound to threads: what one virtual thread takes another gives back. Only where the JDK has them (21 and newer). */
@Timeout(120)
final class VirtualThreadsTest {
    private static final String PATH = "/jobs/reindex";
    private static final int TASKS = 50;

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static ExecutorService virtualThreads() {
        ExecutorService threads = null;
        try {
            threads = (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException | UnsupportedOperationException none) {
            assumeTrue(false, "this JDK has no virtual threads: " + none);
        }
        return Objects.requireNonNull(threads);
    }

    private static <T> T on(ExecutorService threads, Callable<T> task) throws Exception {
        return threads.submit(task).get(30, TimeUnit.SECONDS);
    }

    @Test
    void whatOneTakesAnotherGivesBack() throws Exception {
        ExecutorService threads = virtualThreads();
        try {
            HoldfastClient client = bench.client();
            Set<Long> tokens = ConcurrentHashMap.newKeySet();
            List<Future<Boolean>> tasks = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                tasks.add(threads.submit(() -> {
                    Thread taker = Thread.currentThread();
                    LockHold hold = client.lock(PATH).acquire();
                    tokens.add(hold.token().value());
                    return on(threads, () -> {
                        assertThat(Thread.currentThread()).isNotSameAs(taker);
                        hold.ensureHeld();
                        return hold.release();
                    });
                }));
            }
            for (Future<Boolean> task : tasks) {
                assertThat(task.get(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(tokens).hasSize(TASKS);
            assertThat(bench.places()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }
}
