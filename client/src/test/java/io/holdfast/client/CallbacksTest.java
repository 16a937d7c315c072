package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the application's code is called when threads are few or the client ends. */
@Timeout(60)
final class CallbacksTest {
    private static final int MORE_THAN_THREADS = 40;

    /** Otherwise futures would never complete, and listeners never hear of the end. */
    @Test
    void whatNobodyHadAThreadForStillRunsWhenTheClientCloses() throws Exception {
        Callbacks callbacks = new Callbacks(null);
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            callbacks.execute(() -> {
                try {
                    never.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        CompletableFuture<String> told = new CompletableFuture<>();
        callbacks.execute(() -> told.complete("told"));

        callbacks.close();
        never.countDown();

        assertThat(told.get()).isEqualTo("told");
    }
}
