package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.holdfast.cli.system.Holdfast.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replica processes: what each says of itself, and what is left when some of them go (C38, C85). */
final class ReplicaProcessesIT {
    private static final int SIZE = 3;
    private static final int SHARDS = 20;

    @TempDir
    Path directory;

    private Holdfast holdfast;
    private ReplicaCell cell;

    @BeforeEach
    void prepare() {
        int firstPort = ReplicaCell.freePorts(SIZE);
        holdfast = new Holdfast(directory, ReplicaCell.endpoints(SIZE, firstPort));
        cell = new ReplicaCell(holdfast, directory, SIZE, firstPort);
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
    }

    @Test
    void aReplicaIsAliveWithoutACellButNotReady() {
        cell.start(1);
        Holdfast.await("HTTP", () -> cell.process(1).requireRunning() && cell.answers(1));
        assertThat(cell.http(1, "/livez").statusCode()).isEqualTo(200);
        assertThat(cell.http(1, "/readyz").statusCode()).isEqualTo(503);
        assertThat(cell.http(1, "/readyz").body()).contains("UNAVAILABLE", "not formed yet");
        assertThat(cell.http(1, "/v1/cell").statusCode()).isEqualTo(503);
        assertThat(cell.metric(1, "holdfast_has_leader")).isZero();

        cell.start(2);
        cell.start(3);
        cell.awaitReady(1);
        assertThat(cell.metric(1, "holdfast_has_leader")).isEqualTo(1);

        cell.kill(2);
        cell.kill(3);
        Holdfast.await("not ready", () -> cell.http(1, "/readyz").statusCode() == 503);
        assertThat(cell.http(1, "/livez").statusCode()).isEqualTo(200);
        Holdfast.await("no leader", () -> cell.metric(1, "holdfast_has_leader") == 0);
        Result put = holdfast.run("put", "/v/a", "one", "--call-timeout", "2s");
        assertThat(put.status()).isEqualTo(3);
        assertThat(put.err()).containsAnyOf("(not done)", "(unknown: ").doesNotContain("\tat ");
        assertThat(put.took()).isLessThan(Duration.ofSeconds(20));

        cell.start(2);
        cell.awaitReady(1);
        assertThat(holdfast.run("put", "/v/a", "one").status()).isZero();
    }

    /** Others need not wait for an election timeout, which is 1 s at least. */
    @Test
    void aLeaderThatIsToldToEndHandsItsLeadOverFirst() {
        cell.startAll();
        int leader = cell.leader();
        Holdfast.Running old = cell.process(leader);
        assertThat(holdfast.run("put", "/v/a", "one").status()).isZero();
        old.signal("TERM");
        assertThat(old.await().status()).isEqualTo(143);
        int next = cell.leader();
        assertThat(next).isNotEqualTo(leader);
        assertThat(cell.logged(leader, "hands over the leads of [main")).hasSize(1);
        assertThat(cell.logged(leader, "r" + next + " leads cell main")).hasSize(1);
        assertThat(cell.logged(leader, "no other replica took the lead")).isEmpty();
        assertThat(holdfast.run("get", "/v/a").out()).isEqualTo("one");
    }

    /** F8, N6: none leads many more shards than another, and those of one that ends or dies are led by others at once. */
    @Test
    void leadsOfShardsAreSpreadAndMoveOnWhenAReplicaEnds() {
        cell.startAll();
        cell.awaitReady(1);
        Holdfast.await("leads are spread", () -> mostShardsOfOne() <= SHARDS / SIZE + 2);
        int leader = cell.leader();
        cell.process(leader).signal("TERM");
        assertThat(cell.process(leader).await().status()).isEqualTo(143);
        Holdfast.await("all are led by others", () -> mostShardsOfOne() <= SHARDS && !leads("r" + leader));
        int next = cell.leader();
        cell.start(leader);
        cell.awaitReady(leader);
        cell.kill(next);
        Holdfast.await("all are led again", () -> mostShardsOfOne() <= SHARDS);
    }

    private JsonNode shards() {
        Result status = holdfast.run("status", "--output", "json");
        if (status.status() != 0) {
            return MissingNode.getInstance();
        }
        try {
            return new ObjectMapper().readTree(status.out()).get("cells");
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(status.out(), malformed);
        }
    }

    private boolean leads(String replica) {
        for (JsonNode shard : shards()) {
            if (shard.get("leader").asText().equals(replica)) {
                return true;
            }
        }
        return false;
    }

    /** How many the busiest replica leads; too many while one has no leader. */
    private int mostShardsOfOne() {
        Map<String, Integer> counts = new TreeMap<>();
        for (JsonNode shard : shards()) {
            if (shard.get("leader").isNull()) {
                return Integer.MAX_VALUE;
            }
            counts.merge(shard.get("leader").asText(), 1, Integer::sum);
        }
        return counts.values().stream().max(Integer::compare).orElse(Integer.MAX_VALUE);
    }

    @Test
    void whatIsDoneShowsInTheMetrics() {
        cell.startAll();
        int leader = cell.leader();
        for (int number = 1; number <= SIZE; number++) {
            for (String name : Metrics.NAMES) {
                assertThat(cell.metric(number, name)).as("r%d %s", number, name).isNotNegative();
            }
        }
        assertThat(cell.http(leader, "/metrics").body()).contains("cell=\"main\"");
        double commits = cell.metric(leader, "holdfast_commit_seconds_count");
        double fsyncs = cell.metric(leader, "holdfast_wal_fsync_seconds_count");
        double acquires = cell.metric(leader, "holdfast_lock_acquire_seconds_count");
        assertThat(holdfast.run("put", "/v/a", "one").status()).isZero();
        assertThat(cell.metric(leader, "holdfast_commit_seconds_count")).isGreaterThan(commits);
        assertThat(cell.metric(leader, "holdfast_wal_fsync_seconds_count")).isGreaterThan(fsyncs);
        assertThat(cell.metric(leader, "holdfast_proposals_total")).isPositive();
        assertThat(cell.metric(leader, "holdfast_state_bytes")).isPositive();
        assertThat(cell.metric(leader, "holdfast_log_bytes")).isPositive();

        Holdfast.Running holder = holdfast.start("lock", "/l/a", "--", "sleep", "600");
        Holdfast.await("held", () -> holder.requireRunning() && cell.metric(leader, "holdfast_locks_held") == 1);
        Holdfast.Running waiter = holdfast.start("lock", "/l/a", "--", "true");
        Holdfast.await("waits", () -> cell.metric(leader, "holdfast_lock_waiters") == 1);
        assertThat(cell.metric(leader, "holdfast_sessions_active")).isEqualTo(2);
        assertThat(cell.metric(leader, "holdfast_lock_acquire_seconds_count")).isEqualTo(acquires + 1);
        double keepAlives = cell.metric(leader, "holdfast_keepalives_total");
        Holdfast.await("KeepAlives", () -> cell.metric(leader, "holdfast_keepalives_total") > keepAlives);
        holder.signal("TERM");
        assertThat(waiter.await().status()).isZero();
        assertThat(cell.metric(leader, "holdfast_lock_acquire_seconds_count")).isEqualTo(acquires + 2);
        assertThat(cell.metric(leader, "holdfast_session_expirations_total")).isZero();
        assertThat(cell.metric(leader, "holdfast_leader_changes_total")).isPositive();
    }
}
