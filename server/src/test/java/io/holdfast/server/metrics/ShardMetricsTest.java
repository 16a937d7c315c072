package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.replica.ReplicaMeter;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.ReplicaStatus.Caches;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.replica.ReplicaStatus.Sizes;
import io.holdfast.storage.CellId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of each shard there is what says whether it works, under the names that the first cell has. */
class ShardMetricsTest {
    private static final CellId MAIN = new CellId("main");
    private static final CellId SHARD = new CellId("shard-01");

    private final ProcessMetrics process = new ProcessMetrics();
    private final ReplicaMetrics main = process.replica("main", "r1");
    private final ShardMetrics shards = main.shards(2);
    private final ReplicaMeter meter = new CellMeters(MAIN, main, shards);

    private String value(String name, String cell, String more) {
        String start = name + "{cell=\"" + cell + "\"," + more + "replica=\"r1\"} ";
        return process.scrape()
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElse("none");
    }

    private String value(String name, String cell) {
        return value(name, cell, "");
    }

    @Test
    void whatIsMeasuredGoesToTheCellThatItIsAbout() {
        meter.committed(SHARD, 3, 2_000_000);
        meter.committed(MAIN, 5, 2_000_000);
        meter.refused(SHARD, 1);
        meter.keepAliveConfirmed(SHARD); // no shard has sessions
        meter.keepAliveBatch(MAIN, 7);
        meter.readAnswered(MAIN);
        shards.leaderKnown(SHARD, "r2", 4);
        shards.leaderKnown(SHARD, "r2", 4);
        shards.leaderKnown(SHARD, null, 5);
        assertThat(process.scrape())
                .contains("holdfast_proposals_total{cell=\"shard-01\",outcome=\"committed\",replica=\"r1\"} 3.0")
                .contains("holdfast_proposals_total{cell=\"shard-01\",outcome=\"refused\",replica=\"r1\"} 1.0")
                .contains("holdfast_proposals_total{cell=\"main\",outcome=\"committed\",replica=\"r1\"} 5.0")
                .contains("holdfast_commit_seconds_count{cell=\"shard-01\",replica=\"r1\"} 1")
                .contains("holdfast_commit_seconds_count{cell=\"main\",replica=\"r1\"} 1");
        assertThat(value("holdfast_leader_changes_total", "shard-01")).isEqualTo("1.0");
        assertThat(value("holdfast_leader_changes_total", "shard-00")).isEqualTo("0.0");
        assertThat(value("holdfast_keepalives_total", "main")).isEqualTo("0.0");
        assertThat(value("holdfast_keepalive_batches_total", "main")).isEqualTo("1.0");
        assertThat(value("holdfast_reads_total", "main")).isEqualTo("1.0");
    }

    @Test
    void theStateOfEachIsReadWhenSomebodyAsks() {
        shards.watch(() -> new ReplicaStatus(
                true,
                false,
                List.of(new CellView(
                        SHARD, Role.LEADER, 3, "r1", 9, "", 5, true, new Sizes(0, 0, 0, 900, 0, 0), 77, Caches.NONE))));
        assertThat(value("holdfast_has_leader", "shard-01")).isEqualTo("1.0");
        assertThat(value("holdfast_is_leader", "shard-01")).isEqualTo("1.0");
        assertThat(value("holdfast_state_bytes", "shard-01")).isEqualTo("900.0");
        assertThat(value("holdfast_log_bytes", "shard-01")).isEqualTo("77.0");
        assertThat(value("holdfast_has_leader", "shard-00")).isEqualTo("0.0");
    }

    /** A scrape of twenty shards stays a page that is read in a moment. */
    @Test
    void twentyShardsAreAFewHundredSeries() {
        ProcessMetrics twenty = new ProcessMetrics();
        twenty.replica("main", "r1").shards(20).watch(() -> new ReplicaStatus(true, false, List.of()));
        long series =
                twenty.scrape().lines().filter(line -> line.contains("shard-")).count();
        assertThat(series).isLessThanOrEqualTo(20 * 20);
    }
}
