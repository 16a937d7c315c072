package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Waits generously for what must come. */
final class Await {
    private static final long SECONDS = 60;

    private Await() {}

    static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T element = queue.poll(SECONDS, TimeUnit.SECONDS);
        assertThat(element).as("what must arrive within %d s", SECONDS).isNotNull();
        return element;
    }
}
