package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list that is followed by reading it again after each change, with reads that the test answers. */
@Timeout(120)
final class FollowingTest {
    private final ClientBench bench = new ClientBench();
    private final Queue<CompletableFuture<String>> reads = new ArrayDeque<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Following<String> following;

    @BeforeEach
    void follow() {
        // Callbacks run at once, so the only changes are the test's after the first.
        HoldfastClient client = bench.client(Runnable::run);
        following = (Following<String>)
                Following.children(client.desk, new NodePath("/list"), this::read, new WatchListener<>() {
                    @Override
                    public void onState(String state) {
                        told.add(state);
                    }

                    @Override
                    public void onEnded(HoldfastException reason) {
                        told.add("ended");
                    }
                });
        ClientBench.until(() -> asked() == 1);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private CompletableFuture<String> read() {
        CompletableFuture<String> read = new CompletableFuture<>();
        synchronized (reads) {
            reads.add(read);
        }
        return read;
    }

    private int asked() {
        synchronized (reads) {
            return reads.size();
        }
    }

    private CompletableFuture<String> next() {
        synchronized (reads) {
            return reads.remove();
        }
    }

    /** Or whoever looks at a list that changes faster than it is read would never hear of it. */
    @Test
    void whatWasReadIsToldAlthoughItWasOvertaken() throws Exception {
        for (int i = 0; i < 3; i++) {
            following.onState(List.of("change " + i));
            next().complete("read " + i);
            assertThat(told.take()).isEqualTo("read " + i);
            assertThat(asked()).isEqualTo(1);
        }
        next().complete("newest");
        assertThat(told.take()).isEqualTo("newest");
        assertThat(asked()).isZero();
    }

    @Test
    void whatIsRefusedForGoodEndsItAndIsNotListenedToAnyMore() throws Exception {
        next().completeExceptionally(new RefusedException(ErrorCode.BUSY, "too many calls"));
        assertThat(told.take()).isEqualTo("ended");
        following.onState(List.of("change"));
        assertThat(asked()).isZero();
        ClientBench.until(() -> {
            bench.pass(250);
            return bench.network.with(FakeCell::watchCount) == 0;
        });
    }
}
