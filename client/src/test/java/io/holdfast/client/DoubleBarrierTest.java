package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Beginning and ending together, through the API; the rule is tested in {@link BarrierStateTest}. */
@Timeout(120)
final class DoubleBarrierTest {
    private static final String PATH = "/jobs/step";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void allBeginTogetherAndEndTogetherRoundAfterRound() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Integer>> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DoubleBarrier barrier = bench.client().doubleBarrier(PATH, 3);
            members.add(bench.inThread(() -> {
                int rounds = 0;
                for (int round = 0; round < 5; round++) {
                    BarrierPass pass = barrier.enter();
                    assertThat(pass.members()).isEqualTo(3);
                    pass.ensureInside();
                    inside.incrementAndGet();
                    pass.leave();
                    assertThat(inside.get()).isGreaterThanOrEqualTo(3 * (round + 1));
                    rounds++;
                }
                return rounds;
            }));
        }
        for (CompletableFuture<Integer> member : members) {
            assertThat(member.get()).isEqualTo(5);
        }
        until(() -> bench.places() == 0);
    }

    @Test
    void whoeverIsAloneGivesUpAndLeavesNothing() throws Exception {
        DoubleBarrier barrier = bench.client().doubleBarrier(PATH, 2);
        assertThat(barrier.enter(Duration.ofMillis(50))).isEmpty();
        until(() -> bench.places() == 0);
    }

    @Test
    void theDeadAreNotWaitedFor() throws Exception {
        HoldfastClient one = bench.client();
        HoldfastClient two = bench.client();
        CompletableFuture<BarrierPass> first =
                bench.inThread(() -> one.doubleBarrier(PATH, 2).enter());
        BarrierPass second = two.doubleBarrier(PATH, 2).enter();
        BarrierPass pass = first.get();
        assertThat(second.leave(Duration.ofMillis(50))).isFalse();
        bench.expire(one);
        second.leave();
        assertThat(pass.isInside()).isFalse();
        assertThatThrownBy(pass::leave).isInstanceOf(HoldfastException.class);
        until(() -> bench.places() == 0);
    }

    /** Otherwise all of the round would wait for one that seems to want to stay. */
    @Test
    void whosePlaceAtTheExitIsBrokenStandsThereAgain() throws Exception {
        CompletableFuture<BarrierPass> first =
                bench.inThread(() -> bench.client().doubleBarrier(PATH, 2).enter());
        BarrierPass second = bench.client().doubleBarrier(PATH, 2).enter();
        BarrierPass pass = first.get();
        CompletableFuture<Boolean> leaving = bench.inThread(() -> {
            pass.leave();
            return true;
        });
        until(() -> bench.places() == 3);
        bench.breakPlaces(PATH + "/" + DoubleBarrier.OUT);
        until(() -> bench.places() == 3);
        second.leave();
        assertThat(leaving.get()).isTrue();
        until(() -> bench.places() == 0);
    }

    @Test
    void theEndOfTheSessionEndsTheWaiting() throws Exception {
        HoldfastClient client = bench.client();
        CompletableFuture<BarrierPass> waiting =
                bench.inThread(() -> client.doubleBarrier(PATH, 2).enter());
        until(() -> bench.places() == 1);
        bench.expire(client);
        assertThatThrownBy(waiting::get).cause().isInstanceOf(HoldfastException.class);
        until(() -> bench.places() == 0);
    }

    /** What one answer does to one call does nothing to the client's holds. */
    @Test
    void aPathWithTooMuchBelowItIsRefusedAndNothingElseIsLost() throws Exception {
        HoldfastClient client = bench.client();
        List<CompletableFuture<LockHold>> others = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            others.add(client.lock(PATH + "/l" + i).acquireAsync());
        }
        for (CompletableFuture<LockHold> other : others) {
            other.get();
        }
        assertThatThrownBy(() -> client.doubleBarrier(PATH, 2).enter())
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("a path of its own");
        assertThat(others.get(0).get().isHeld()).isTrue();
        assertThat(client.lock("/still/alive").acquire().isHeld()).isTrue();
    }

    @Test
    void anInterruptEndsTheWaiting() throws Exception {
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        HoldfastClient client = bench.client();
        CompletableFuture<BarrierPass> waiting = bench.inThread(() -> {
            begun.complete(Thread.currentThread());
            return client.doubleBarrier(PATH, 2).enter();
        });
        until(() -> bench.places() == 1);
        begun.get().interrupt();
        assertThatThrownBy(waiting::get).cause().isInstanceOf(InterruptedException.class);
        until(() -> bench.places() == 0);
    }

    /** Also while it joins: whoever is interrupted hears of it in the one way that is documented. */
    @Test
    void anInterruptBeforeTheCellAnswersIsAnInterrupt() {
        DoubleBarrier barrier = bench.client().doubleBarrier(PATH, 2);
        Thread.currentThread().interrupt();
        assertThatThrownBy(barrier::enter).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        until(() -> bench.places() == 0);
    }

    @Test
    void withoutBlockingAllBeginAndEndTogether() throws Exception {
        CompletableFuture<BarrierPass> one =
                bench.client().doubleBarrier(PATH, 2).enterAsync();
        until(() -> bench.places() == 1);
        assertThat(one).isNotDone();
        BarrierPass second = bench.client()
                .doubleBarrier(PATH, 2)
                .enterAsync(Duration.ofSeconds(20))
                .get()
                .orElseThrow();
        BarrierPass first = one.get();
        assertThat(first.leaveAsync(Duration.ofMillis(50)).get()).isFalse();
        CompletableFuture<Void> leaving = first.leaveAsync();
        assertThat(leaving).isNotDone();
        assertThat(second.leaveAsync(Duration.ofSeconds(20)).get()).isTrue();
        leaving.get();
        assertThat(first.isInside()).isFalse();
        until(() -> bench.places() == 0);
    }

    @Test
    void withoutBlockingWhoeverGivesUpOrIsCancelledLeavesNothing() throws Exception {
        DoubleBarrier barrier = bench.client().doubleBarrier(PATH, 2);
        assertThat(barrier.enterAsync(Duration.ofMillis(50)).get()).isEmpty();
        until(() -> bench.places() == 0);
        CompletableFuture<BarrierPass> waiting = barrier.enterAsync();
        until(() -> bench.places() == 1);
        waiting.cancel(true);
        until(() -> bench.places() == 0);
    }

    @Test
    void badPathsAreRefusedBeforeAnythingIsSent() {
        HoldfastClient client = bench.client();
        assertThatThrownBy(() -> client.doubleBarrier("/", 2))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("'/'");
        String longest = "/" + "x".repeat(500) + "/" + "y".repeat(Limits.MAX_PATH_BYTES - 502);
        assertThat(client.lock(longest).path()).isEqualTo(longest);
        assertThatThrownBy(() -> client.doubleBarrier(longest, 2)).isInstanceOf(RefusedException.class);
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        HoldfastClient client = bench.client();
        assertThatThrownBy(() -> client.doubleBarrier(PATH, 0)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> client.doubleBarrier(PATH, 101)).isInstanceOf(RefusedException.class);
        assertThat(client.doubleBarrier(PATH, 100).members()).isEqualTo(100);
    }
}
