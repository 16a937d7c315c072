package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.model.FencingToken;
import io.holdfast.protocol.frame.ClientFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leased locks as an application has them. */
@Timeout(60)
final class LeasesTest {
    private final ClientBench bench = new ClientBench();
    private final HoldfastClient client = bench.client();

    @AfterEach
    void close() {
        bench.close();
    }

    private int leases() {
        return bench.network.with(FakeCell::leaseCount);
    }

    @Test
    void aHoldLivesOnItsRenewalsAndOpensNoSession() throws Exception {
        try (LeaseHold hold = client.leases().acquire("account/42", "worker-7")) {
            assertThat(hold.isHeld()).isTrue();
            bench.pass(60_000);
            hold.ensureHeld();
            assertThat(hold.remaining()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(10));
            assertThat(hold.name()).isEqualTo("account/42");
            assertThat(hold.owner()).isEqualTo("worker-7");
        }
        assertThat(leases()).isZero();
        assertThat(client.session()).isEmpty();
        assertThat(bench.network.with(FakeCell::sessionCount)).isZero();
    }

    @Test
    void anotherAndTheSameOwnerAreRefused() {
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        assertThat(client.leases().tryAcquire("a", "x")).isEmpty();
        assertThat(bench.client().leases().tryAcquire("a", "y")).isEmpty();
        assertThat(hold.release()).isTrue();
        LeaseHold next = bench.client().leases().tryAcquire("a", "y").orElseThrow();
        assertThat(next.token()).isGreaterThan(hold.token());
        assertThat(hold.release()).isTrue(); // harmless
        assertThat(next.isHeld()).isTrue();
        assertThatThrownBy(hold::ensureHeld)
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("released");
    }

    @Test
    void whoWaitsAsksAgainUntilItIsFree() {
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        CompletableFuture<LeaseHold> waiting = bench.client().leases().acquireAsync("a", "y");
        CompletableFuture<Optional<LeaseHold>> impatient =
                bench.client().leases().acquireAsync("a", "z", Duration.ofSeconds(2));
        bench.passUntil(impatient::isDone);
        assertThat(impatient.join()).isEmpty();
        assertThat(waiting).isNotDone();
        hold.close();
        bench.passUntil(waiting::isDone);
        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void aCancelledAcquireLeavesNothingBehind() {
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        CompletableFuture<LeaseHold> waiting = bench.client().leases().acquireAsync("a", "y");
        bench.pass(1_000);
        waiting.cancel(false);
        hold.close();
        bench.pass(2_000);
        assertThat(leases()).isZero();
    }

    /** C05, C119: lost is told once, and is another thing than doubt. */
    @Test
    void aHoldThatCannotBeRenewedIsLostInTimeAndToldOnce() {
        List<String> told = new CopyOnWriteArrayList<>();
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        hold.onLost((lost, reason) -> told.add(reason));
        bench.network.refuse(true);
        bench.pass(9_750);
        assertThat(hold.isHeld()).isTrue();
        bench.pass(250);
        assertThat(hold.isHeld()).isFalse();
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(HoldLostException.class);
        ClientBench.until(() -> told.size() == 1);
        bench.network.refuse(false);
        bench.pass(20_000);
        assertThat(hold.isHeld()).isFalse();
        assertThat(told).hasSize(1);
        assertThat(hold.release()).isFalse();
        List<String> late = new CopyOnWriteArrayList<>();
        hold.onLost((lost, reason) -> late.add(reason));
        ClientBench.until(() -> late.equals(told));
        assertThat(client.leases().tryAcquire("a", "x")).isPresent();
    }

    /** R7.1: nothing renews a hold once the client's thread has ended. */
    @Test
    void aHoldIsLostWithTheClientsThread() {
        List<String> told = new CopyOnWriteArrayList<>();
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        hold.onLost((lost, reason) -> told.add(reason));
        LeaseHold released = client.leases().tryAcquire("b", "x").orElseThrow();
        released.onLost((lost, reason) -> told.add("not lost"));
        assertThat(released.release()).isTrue();
        bench.network.executor().shutdown();
        client.wake();
        ClientBench.until(() -> !told.isEmpty());
        assertThat(hold.isHeld()).isFalse();
        assertThat(told).containsExactly("the client's thread has ended");
    }

    /** R1.3: a step of the wall clock costs trust until the next confirmation, and no hold. */
    @Test
    void aStepOfTheWallClockLosesNoHold() {
        LeaseHold hold = client.leases().tryAcquire("a", "x").orElseThrow();
        List<String> told = new CopyOnWriteArrayList<>();
        hold.onLost((lost, reason) -> told.add(reason));
        bench.network.loseThere(frame -> frame instanceof ClientFrame.Lease);
        bench.clock.wallGains(3_600_000);
        assertThat(hold.isHeld()).isFalse();
        assertThatThrownBy(hold::ensureHeld).isInstanceOf(JeopardyException.class);
        client.wake();
        assertThat(hold.isHeld()).isFalse();
        bench.network.loseThere(frame -> false);
        bench.passUntil(hold::isHeld);
        for (int i = 0; i < 20; i++) {
            bench.clock.wallGains(i % 2 == 0 ? -3_600_000 : 3_600_000);
            bench.pass(1_000);
            bench.passUntil(hold::isHeld);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void closingTheClientGivesEverythingBack() {
        HoldfastClient other = bench.client();
        List<LeaseHold> holds = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            holds.add(other.leases().tryAcquire("n" + i, "x").orElseThrow());
        }
        assertThat(leases()).isEqualTo(100);
        CompletableFuture<Boolean> closed = bench.inThread(() -> {
            other.close();
            return true;
        });
        bench.passUntil(closed::isDone);
        assertThat(leases()).isZero();
        assertThat(holds).noneMatch(LeaseHold::isHeld);
        assertThatThrownBy(() -> other.leases().tryAcquire("a", "x")).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void rawCallsRenewNothing() {
        RawLeases raw = client.leases().raw();
        LeaseAnswer.Granted granted = (LeaseAnswer.Granted) raw.acquire("a", "x", Duration.ofSeconds(10), "r1");
        assertThat(granted.lease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(raw.acquire("a", "x", Duration.ofSeconds(10), "r1")).isEqualTo(granted); // R2.7
        LeaseAnswer.Held held = (LeaseAnswer.Held) raw.acquire("a", "x", Duration.ofSeconds(10), null);
        assertThat(held.owner()).isEqualTo("x");
        assertThat(raw.inspect("a").orElseThrow().token()).isEqualTo(granted.token());
        assertThat(raw.renew("a", "x", granted.token())).contains(Duration.ofSeconds(10));
        assertThat(raw.renew("a", "y", granted.token())).isEmpty();
        assertThat(raw.release("a", "x", new FencingToken(99))).isFalse();
        assertThat(raw.release("a", "x", granted.token())).isTrue();
        assertThat(raw.release("a", "x", granted.token())).isTrue();
        assertThat(raw.inspect("a")).isEmpty();
        raw.acquireAsync("b", "x", Duration.ofSeconds(1), null).join();
        bench.pass(5_000);
        assertThat(leases()).isZero();
    }

    /** C103: refused with the range in the message, before anything is sent. */
    @Test
    void whatIsOutOfRangeIsRefused() {
        Leases leases = client.leases();
        for (Duration lease : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofMillis(1),
                Duration.ofMillis(999),
                Duration.ofMillis(60_001),
                Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> leases.lease(lease))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("1000 to 60000");
            assertThatThrownBy(() -> leases.raw().acquire("a", "x", lease, null))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("1000 to 60000");
        }
        for (String name : List.of("", "/path", "a\nb", "n".repeat(513), "\ud800")) {
            assertThatThrownBy(() -> leases.tryAcquire(name, "x")).isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> leases.raw().inspect(name)).isInstanceOf(RefusedException.class);
        }
        assertThatThrownBy(() -> leases.tryAcquire("a", "")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> leases.acquire("a", "x", Duration.ofMillis(-1)))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> leases.raw().acquire("a", "x", Duration.ofSeconds(10), "r".repeat(129)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("requestId");
        assertThat(leases.tryAcquire("n".repeat(512), "x")).isPresent();
    }
}
