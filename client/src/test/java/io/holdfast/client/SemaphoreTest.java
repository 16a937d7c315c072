package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A semaphore through the API; who holds is the cell's to judge ({@code semaphore.txt}). */
@Timeout(120)
final class SemaphoreTest {
    private static final String PATH = "/pool";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void soManyHoldAndTheNextIsServedInOrder() throws Exception {
        List<Permit> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(bench.client().semaphore(PATH, 3).acquire());
        }
        assertThat(held).allMatch(Permit::isHeld).extracting(Permit::token).doesNotHaveDuplicates();
        CompletableFuture<Permit> fourth = bench.client().semaphore(PATH, 3).acquireAsync();
        until(() -> bench.places() == 4);
        CompletableFuture<Permit> fifth = bench.client().semaphore(PATH, 3).acquireAsync();
        until(() -> bench.places() == 5);
        assertThat(bench.client().semaphore(PATH, 3).tryAcquire()).isEmpty();

        assertThat(held.get(1).release()).isTrue();
        assertThat(fourth.get().isHeld()).isTrue();
        assertThat(fifth.isDone()).isFalse();
        held.get(0).close();
        fifth.get().ensureHeld();
        assertThat(fifth.get().remaining()).isPositive();
    }

    /** R4.5: two handles, two permits. */
    @Test
    void oneClientMayHoldSeveral() throws Exception {
        SemaphoreRecipe semaphore = bench.client().semaphore(PATH, 2);
        try (Permit one = semaphore.acquire();
                Permit two = semaphore.acquire()) {
            assertThat(one.isHeld() && two.isHeld()).isTrue();
            assertThat(semaphore.acquire(Duration.ZERO)).isEmpty();
        }
        assertThat(bench.places()).isZero();
    }

    @Test
    void anotherNumberIsRefusedAsLongAsAPlaceIsLeft() throws Exception {
        Permit permit = bench.client().semaphore(PATH, 2).acquire();
        SemaphoreRecipe other = bench.client().semaphore(PATH, 3);
        assertThatThrownBy(other::tryAcquire)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.PERMITS_DIFFER));
        assertThatThrownBy(bench.client().lock(PATH)::tryAcquire).isInstanceOf(RefusedException.class);
        permit.release();
        assertThat(other.tryAcquire()).isPresent();
    }

    @Test
    void numbersOutOfRangeAreRefusedBeforeAnythingIsSent() {
        HoldfastClient client = bench.client();
        for (int permits : new int[] {0, -1, 1_000_001}) {
            assertThatThrownBy(() -> client.semaphore(PATH, permits))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("1 to 1000000");
        }
        assertThat(client.semaphore(PATH, 1_000_000).permits()).isEqualTo(1_000_000);
        assertThat(client.session()).isEmpty();
    }

    @Test
    void aWaitThatIsOverOrCancelledLeavesNothing() throws Exception {
        Permit permit = bench.client().semaphore(PATH, 1).acquire();
        var timed = bench.client().semaphore(PATH, 1).acquireAsync(Duration.ofSeconds(2));
        var cancelled = bench.client().semaphore(PATH, 1).acquireAsync();
        until(() -> bench.places() == 3);
        cancelled.cancel(true);
        bench.pass(2_500);
        assertThat(timed.get()).isEmpty();
        until(() -> bench.places() == 1);
        assertThat(permit.isHeld()).isTrue();
    }

    @Test
    void aLossIsTold() throws Exception {
        HoldfastClient client = bench.client();
        Permit permit = client.semaphore(PATH, 2).acquire();
        BlockingQueue<Permit> lost = new LinkedBlockingQueue<>();
        permit.onLost((which, reason) -> lost.add(which));
        bench.expire(client);
        assertThat(lost.take()).isSameAs(permit);
        assertThat(permit.isHeld()).isFalse();
        assertThatThrownBy(permit::ensureHeld).isInstanceOf(HoldLostException.class);
    }
}
