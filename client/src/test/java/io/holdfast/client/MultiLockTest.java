package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several locks at once: all or none, whatever happens on the way. */
@Timeout(120)
final class MultiLockTest {
    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static MultiLockRecipe locks(HoldfastClient client, String... paths) {
        return client.locks(List.of(paths).stream().map(client::lock).toArray(LockRecipe[]::new));
    }

    @Test
    void allAreTakenInTheOrderOfTheirPaths() throws Exception {
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        bench.network.loseThere(frame -> {
            if (frame instanceof ClientFrame.Request request
                    && request.operation() instanceof Operation.Acquire acquire) {
                asked.add(acquire.lock().value());
            }
            return false;
        });
        HoldfastClient client = bench.client();
        MultiHold hold = locks(client, "/c", "/a", "/b").acquire();
        assertThat(asked).containsExactly("/a", "/b", "/c");
        assertThat(hold.isHeld()).isTrue();
        hold.ensureHeld();
        assertThat(hold.tokens().keySet()).containsExactly("/a", "/b", "/c");
        assertThat(hold.token("/b")).isEqualTo(hold.holds().get(1).token());
        assertThatThrownBy(() -> hold.token("/d")).isInstanceOf(IllegalArgumentException.class);
        assertThat(hold.remaining()).isBetween(Duration.ofSeconds(11), Duration.ofSeconds(12));
        assertThat(bench.client().lock("/b").tryAcquire()).isEmpty();

        assertThat(hold.release()).isTrue();
        assertThat(hold.isHeld()).isFalse();
        assertThat(bench.places()).isZero();
        hold.close();
    }

    @Test
    void sharedAndExclusiveMayBeMixed() throws Exception {
        HoldfastClient client = bench.client();
        MultiHold hold =
                client.locks(client.lock("/a").shared(), client.lock("/b")).acquire();
        assertThat(bench.client().lock("/a").shared().tryAcquire()).isPresent();
        assertThat(bench.client().lock("/b").shared().tryAcquire()).isEmpty();
        hold.close();
    }

    @Test
    void nothingTwiceNoneAndTooManyAreRefused() {
        HoldfastClient client = bench.client();
        assertThatThrownBy(() -> locks(client, "/a", "/b", "/a"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("/a")
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> locks(client)).isInstanceOf(RefusedException.class);
        String[] most = IntStream.range(0, MultiLockRecipe.MAX_LOCKS)
                .mapToObj(i -> "/many/" + i)
                .toArray(String[]::new);
        locks(client, most).tryAcquire().orElseThrow().close();
        String[] more = IntStream.rangeClosed(0, MultiLockRecipe.MAX_LOCKS)
                .mapToObj(i -> "/many/" + i)
                .toArray(String[]::new);
        assertThatThrownBy(() -> locks(client, more)).isInstanceOf(RefusedException.class);
    }

    @Test
    void ifOneIsHeldATryHoldsNone() throws Exception {
        bench.client().lock("/b").acquire();
        assertThat(locks(bench.client(), "/a", "/b", "/c").tryAcquire()).isEmpty();
        until(() -> bench.places() == 1);
        assertThat(bench.client().lock("/a").tryAcquire()).isPresent();
    }

    @Test
    void theTimeToWaitIsThatOfAllTogether() throws Exception {
        bench.client().lock("/a").acquire();
        LockHold b = bench.client().lock("/b").acquire();
        HoldfastClient client = bench.client();
        var waiting = locks(client, "/a", "/b").acquireAsync(Duration.ofSeconds(3));
        until(() -> bench.places() == 3);
        bench.pass(2_000);
        bench.breakFirst("/a");
        until(() -> bench.places() == 3); // its place at /a is held, one at /b waits
        bench.pass(500);
        assertThat(waiting.isDone()).isFalse();
        bench.pass(750);
        assertThat(waiting.get()).isEmpty();
        until(() -> bench.places() == 1);
        assertThat(b.isHeld()).isTrue();
    }

    /** While one was waited for, an earlier one went: to hold the rest would be to hold neither all nor none. */
    @Test
    void whatIsLostWhileAnotherIsWaitedForEndsAll() throws Exception {
        LockHold b = bench.client().lock("/b").acquire();
        HoldfastClient client = bench.client();
        CompletableFuture<MultiHold> waiting = locks(client, "/a", "/b").acquireAsync();
        until(() -> bench.places() == 3);
        bench.breakPlaces("/a");
        assertThatThrownBy(waiting::get)
                .hasCauseInstanceOf(HoldLostException.class)
                .hasMessageContaining("/a")
                .hasMessageContaining("none of them is held");
        until(() -> bench.places() == 1);
        assertThat(b.isHeld()).isTrue();
    }

    @Test
    void theEndOfTheSessionEndsAll() throws Exception {
        bench.client().lock("/b").acquire();
        HoldfastClient client = bench.client();
        CompletableFuture<MultiHold> waiting = locks(client, "/a", "/b").acquireAsync();
        until(() -> bench.places() == 3);
        bench.expire(client);
        assertThatThrownBy(waiting::get).cause().isInstanceOf(HoldfastException.class);
        until(() -> bench.places() == 1);
    }

    @Test
    void cancellingGivesAllBack() throws Exception {
        bench.client().lock("/b").acquire();
        CompletableFuture<MultiHold> waiting = locks(bench.client(), "/a", "/b").acquireAsync();
        until(() -> bench.places() == 3);
        waiting.cancel(true);
        until(() -> bench.places() == 1);
        assertThat(bench.client().lock("/a").tryAcquire()).isPresent();
    }

    @Test
    void anInterruptGivesAllBack() throws Exception {
        bench.client().lock("/b").acquire();
        HoldfastClient client = bench.client();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<MultiHold> waiting = bench.inThread(() -> {
            begun.complete(Thread.currentThread());
            return locks(client, "/a", "/b").acquire();
        });
        until(() -> bench.places() == 3);
        begun.get().interrupt();
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
        until(() -> bench.places() == 1);
    }

    /** R4.3, for all of them together. */
    @Test
    void grantsThatAreHandedOverTooLateDoNotCount() throws Exception {
        Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
        HoldfastClient client = bench.client(callbacks::add);
        CompletableFuture<MultiHold> acquired = locks(client, "/a", "/b").acquireAsync();
        until(() -> bench.places() == 2 && !callbacks.isEmpty());
        bench.network.loseThere(frame -> frame instanceof ClientFrame.KeepAlive);
        bench.clock.advanceMillis(11_900); // the process was paused before it was told
        callbacks.remove().run();
        assertThatThrownBy(acquired::get)
                .hasCauseInstanceOf(HoldLostException.class)
                .hasMessageContaining("before they could be handed over");
        bench.network.loseThere(frame -> false);
        bench.passUntil(() -> bench.places() == 0);
    }

    /** A lost reply in any position: all or none, and nothing is left. */
    @Test
    void lostRepliesLeaveNothingBehind() throws Exception {
        for (int lost = 0; lost < 5; lost++) {
            HoldfastClient client = bench.client();
            int[] skip = {lost};
            bench.network.loseBack(frame -> frame instanceof ServerFrame.Reply && skip[0]-- == 0);
            CompletableFuture<MultiHold> acquired =
                    locks(client, "/a", "/b", "/c").acquireAsync();
            bench.passUntil(acquired::isDone);
            if (!acquired.isCompletedExceptionally()) {
                assertThat(acquired.get().isHeld()).isTrue();
                CompletableFuture<Boolean> released = acquired.get().releaseAsync();
                bench.passUntil(released::isDone);
            }
            bench.network.loseBack(frame -> false);
            bench.passUntil(() -> bench.places() == 0);
        }
    }

    @Test
    void theLossOfAnyIsToldOnce() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        HoldfastClient client = bench.client(Runnable::run);
        MultiHold hold = locks(client, "/a", "/b", "/c").acquire();
        hold.onLost((which, lost, reason) -> told.add(lost.path()));
        bench.breakPlaces("/b");
        assertThat(told.take()).isEqualTo("/b");
        assertThat(hold.isHeld()).isFalse();
        assertThatThrownBy(hold::ensureHeld)
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("/b");
        assertThat(hold.holds().get(0).isHeld()).isTrue(); // the rest is for the application to release
        bench.breakPlaces("/c");
        until(() -> !hold.holds().get(2).isHeld());
        client.wake();
        assertThat(told).isEmpty();
        assertThat(hold.release()).isFalse();
        assertThat(bench.places()).isZero();
    }

    /** Each names them in another order, and nobody waits in a circle. */
    @Test
    void nobodyWaitsInACircle() throws Exception {
        HoldfastClient one = bench.client();
        HoldfastClient two = bench.client();
        CompletableFuture<Integer> first = bench.inThread(() -> takeOften(one, "/a", "/b"));
        CompletableFuture<Integer> second = bench.inThread(() -> takeOften(two, "/b", "/a"));
        assertThat(first.get() + second.get()).isEqualTo(100);
        assertThat(bench.places()).isZero();
    }

    private static int takeOften(HoldfastClient client, String... paths) throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            Optional<MultiHold> hold = Optional.of(locks(client, paths).acquire());
            hold.get().ensureHeld();
            hold.get().release();
        }
        return 50;
    }
}
