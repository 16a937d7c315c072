package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever cancels, or is interrupted, ends the call itself, and hears which one it was (C111). */
@Timeout(120)
final class CancelledCallsTest {
    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void anInterruptedCallNamesItselfAndItsPath() {
        HoldfastClient client = bench.client();
        bench.network.loseBack(frame -> frame instanceof ServerFrame.ReadReply);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> client.values().get("/config/flag"))
                .isInstanceOf(CallInterruptedException.class)
                .hasMessageContaining("get /config/flag")
                .extracting(problem -> ((HoldfastException) problem).outcome())
                .isEqualTo(HoldfastException.Outcome.DEFINITE_NOT_DONE);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCancelledUpdateLeavesTheOldValueAndNoSecondPlace() throws Exception {
        Membership member = bench.client().group("/g").join("old");
        bench.network.loseBack(frame -> frame instanceof ServerFrame.Reply);
        CompletableFuture<Void> updating = member.updateAsync("new");
        until(() -> bench.places() == 2);
        updating.cancel(true);
        bench.network.loseBack(frame -> false);
        bench.passUntil(() -> bench.places() == 1);
        assertThat(member.value()).isEqualTo("old");
        assertThat(member.isMember()).isTrue();
    }

    @Test
    void aCancelledListAsksForNoMore() throws Exception {
        HoldfastClient client = bench.client();
        AtomicInteger reads = new AtomicInteger();
        bench.network.loseThere(frame -> {
            if (frame instanceof ClientFrame.Read) {
                reads.incrementAndGet();
                return true;
            }
            return false;
        });
        CompletableFuture<List<String>> listing = client.values().listAsync("/config");
        until(() -> reads.get() > 0);
        listing.cancel(true);
        client.wake();
        int before = reads.get();
        bench.pass(8_000); // long enough for a read that is not answered to be sent anew
        assertThat(reads.get()).isEqualTo(before);
    }
}
