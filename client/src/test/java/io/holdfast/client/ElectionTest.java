package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.client.session.SessionState;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Campaigning, leading, resigning, and who leads (R4.7). */
@Timeout(120)
final class ElectionTest {
    private static final String PATH = "/services/indexer";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private Election election() {
        return bench.client().election(PATH);
    }

    @Test
    void theFirstLeadsAndTheNextFollows() throws Exception {
        Election asking = election();
        assertThat(asking.leader()).isEmpty();
        Leadership first = election().campaign("10.0.0.7:9000");
        assertThat(first.isLeader()).isTrue();
        first.ensureLeader();
        assertThat(first.value()).isEqualTo("10.0.0.7:9000");
        assertThat(first.path()).isEqualTo(PATH);
        Leader leader = asking.leader().orElseThrow();
        assertThat(leader.value()).isEqualTo("10.0.0.7:9000");
        assertThat(leader.token()).isEqualTo(first.token());
        assertThat(leader.place()).isEqualTo(first.place());

        CompletableFuture<Leadership> next = election().campaignAsync("10.0.0.8:9000");
        until(() -> bench.places() == 2);
        assertThat(asking.leaderAsync().get().orElseThrow().token()).isEqualTo(first.token());
        assertThat(first.resign()).isTrue();
        assertThat(first.isLeader()).isFalse();
        assertThat(next.get().token()).isGreaterThan(first.token());
        assertThat(asking.leader().orElseThrow().value()).isEqualTo("10.0.0.8:9000");
        first.close(); // C17: never ends the next one's lead
        assertThat(next.get().isLeader()).isTrue();
        next.get().close();
        assertThat(asking.leader()).isEmpty();
    }

    @Test
    void aCampaignCanBeBoundedAndWithdrawn() throws Exception {
        Leadership first = election().campaign("a");
        assertThat(election().campaign("b", Duration.ZERO)).isEmpty();
        var bounded = election().campaignAsync("c", Duration.ofSeconds(2));
        CompletableFuture<Leadership> withdrawn = election().campaignAsync("d");
        until(() -> bench.places() == 3);
        withdrawn.cancel(true);
        bench.pass(2_500);
        assertThat(bounded.get()).isEmpty();
        until(() -> bench.places() == 1);
        assertThat(first.isLeader()).isTrue();
    }

    /** C03, C05: not the leader in jeopardy, then the same lead again or lost, and that is told. */
    @Test
    void isNotTheLeaderInJeopardy() throws Exception {
        HoldfastClient client = bench.client();
        Leadership lead = client.election(PATH).campaign("a");
        BlockingQueue<Leadership> lost = new LinkedBlockingQueue<>();
        lead.onLost((which, reason) -> lost.add(which));
        bench.network.loseThere(frame -> true);
        bench.clock.advanceMillis(11_880); // nobody woke the loop
        assertThat(lead.isLeader()).isFalse();
        assertThat(lead.remaining()).isZero();
        assertThatThrownBy(lead::ensureLeader).isInstanceOf(JeopardyException.class);
        bench.clock.advanceMillis(1_000);
        bench.network.loseThere(frame -> false);
        bench.passUntil(() -> client.state() == SessionState.EXPIRED);
        assertThat(lost.take()).isSameAs(lead);
        assertThatThrownBy(lead::ensureLeader).isInstanceOf(HoldLostException.class);
        assertThat(lead.resign()).isFalse();
        assertThat(election().leader()).isEmpty();
        assertThatThrownBy(() -> client.election(PATH).campaign("a")).isInstanceOf(SessionExpiredException.class);
    }

    /** Locks below the election's path, and whoever holds the path as something else, lead nothing. */
    @Test
    void onlyTheFirstExclusivePlaceOfThisPathLeads() throws Exception {
        LockHold below = bench.client().lock(PATH + "/shards/1").acquire();
        assertThat(election().leader()).isEmpty();
        LockHold shared = bench.client().lock(PATH).shared().acquire();
        assertThat(election().leader()).isEmpty();
        shared.release();
        below.release();
    }

    @Test
    void badInputIsRefusedBeforeAnythingIsSent() {
        HoldfastClient client = bench.client();
        assertThatThrownBy(() -> client.election("/")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> client.election("a")).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> client.election(PATH).lockDelay(Duration.ofSeconds(61)))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> client.election(PATH).campaign("x".repeat(65_537)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("65536");
        assertThat(client.session()).isEmpty();
    }
}
