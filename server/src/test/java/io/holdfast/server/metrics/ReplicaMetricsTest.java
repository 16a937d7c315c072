package io.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.ReplicaStatus.Caches;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.replica.ReplicaStatus.Sizes;
import io.holdfast.storage.CellId;
import io.holdfast.storage.LogProgress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told becomes the metrics that users' dashboards and alerts name. */
final class ReplicaMetricsTest {
    private static final CellId CELL = new CellId("main");
    private static final long MILLI = 1_000_000;

    private final ProcessMetrics process = new ProcessMetrics();
    private final ReplicaMetrics metrics = process.replica("main", "r1");
    private long oldestNanos;
    private boolean full;
    private ReplicaStatus status = new ReplicaStatus(false, false, List.of());

    private String value(String name, String... more) {
        StringBuilder labels = new StringBuilder("cell=\"main\"");
        for (String label : more) {
            labels.append(',').append(label);
        }
        String start = name + "{" + labels + "} ";
        return process.scrape()
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElse("none");
    }

    private void watched() {
        metrics.watch(() -> status, () -> 4711, new LogProgress() {
            @Override
            public long oldestUnconfirmedNanos() {
                return oldestNanos;
            }

            @Override
            public boolean isDiskFull() {
                return full;
            }
        });
    }

    /** What has finished says nothing of a disk that finishes nothing. */
    @Test
    void aDiskThatHangsOrIsFullShowsWhileItDoes() {
        watched();
        assertThat(value("holdfast_wal_oldest_unconfirmed_seconds", "replica=\"r1\""))
                .isEqualTo("0.0");
        assertThat(value("holdfast_disk_full", "replica=\"r1\"")).isEqualTo("0.0");
        oldestNanos = 2_500 * MILLI;
        full = true;
        assertThat(value("holdfast_wal_oldest_unconfirmed_seconds", "replica=\"r1\""))
                .isEqualTo("2.5");
        assertThat(value("holdfast_disk_full", "replica=\"r1\"")).isEqualTo("1.0");
    }

    @Test
    void theStateIsReadWhenSomebodyAsks() {
        watched();
        assertThat(value("holdfast_has_leader", "replica=\"r1\"")).isEqualTo("0.0");
        assertThat(value("holdfast_sessions_active", "replica=\"r1\"")).isEqualTo("0.0");
        status = new ReplicaStatus(
                true,
                false,
                List.of(new CellView(
                        CELL,
                        Role.FOLLOWER,
                        3,
                        "r2",
                        9,
                        "",
                        5,
                        false,
                        new Sizes(7, 2, 4, 900, 11, 6),
                        0,
                        new Caches(0, Long.MAX_VALUE))));
        assertThat(value("holdfast_has_leader", "replica=\"r1\"")).isEqualTo("1.0");
        assertThat(value("holdfast_is_leader", "replica=\"r1\"")).isEqualTo("0.0");
        assertThat(value("holdfast_sessions_active", "replica=\"r1\"")).isEqualTo("7.0");
        assertThat(value("holdfast_locks_held", "replica=\"r1\"")).isEqualTo("2.0");
        assertThat(value("holdfast_lock_waiters", "replica=\"r1\"")).isEqualTo("4.0");
        assertThat(value("holdfast_watches", "replica=\"r1\"")).isEqualTo("11.0");
        assertThat(value("holdfast_state_bytes", "replica=\"r1\"")).isEqualTo("900.0");
        assertThat(value("holdfast_log_bytes", "replica=\"r1\"")).isEqualTo("4711.0");
    }

    @Test
    void aLeaderLeadsOnlyOnceItServes() {
        watched();
        status = new ReplicaStatus(
                true,
                false,
                List.of(new CellView(
                        CELL, Role.LEADER, 3, "r1", 9, "", 5, true, new Sizes(0, 0, 0, 0, 0, 0), 0, new Caches(5, 0))));
        assertThat(value("holdfast_is_leader", "replica=\"r1\"")).isEqualTo("1.0");
    }

    @Test
    void eachTermWithAKnownLeaderCountsOnce() {
        metrics.leaderKnown(null, 1);
        metrics.leaderKnown("r2", 1);
        metrics.leaderKnown(null, 1);
        metrics.leaderKnown("r2", 1);
        metrics.leaderKnown("r2", 4);
        assertThat(value("holdfast_leader_changes_total", "replica=\"r1\"")).isEqualTo("2.0");
    }

    @Test
    void commandsAreCountedByWhatCameOfThem() {
        metrics.committed(CELL, 3, 2 * MILLI);
        metrics.refused(CELL, 2);
        metrics.leftUnknown(CELL, 1);
        assertThat(value("holdfast_proposals_total", "outcome=\"committed\"", "replica=\"r1\""))
                .isEqualTo("3.0");
        assertThat(value("holdfast_proposals_total", "outcome=\"refused\"", "replica=\"r1\""))
                .isEqualTo("2.0");
        assertThat(value("holdfast_proposals_total", "outcome=\"unknown\"", "replica=\"r1\""))
                .isEqualTo("1.0");
        assertThat(value("holdfast_commit_seconds_count", "replica=\"r1\"")).isEqualTo("1");
        assertThat(value("holdfast_commit_seconds_sum", "replica=\"r1\"")).isEqualTo("0.002");
    }

    @Test
    void eventsAreCountedByKindAndReadsInAll() {
        metrics.grantTold(CELL);
        metrics.watchesFired(CELL, 3);
        metrics.watchesFired(CELL, 2);
        metrics.readAnswered(CELL);
        assertThat(value("holdfast_events_total", "kind=\"grant\"", "replica=\"r1\""))
                .isEqualTo("1.0");
        assertThat(value("holdfast_events_total", "kind=\"watch\"", "replica=\"r1\""))
                .isEqualTo("5.0");
        assertThat(value("holdfast_reads_total", "replica=\"r1\"")).isEqualTo("1.0");
    }

    @Test
    void durationsAreHistogramsInSeconds() {
        metrics.synced(4 * MILLI, 100, 1);
        metrics.synced(MILLI, 0, 1); // nothing was written
        metrics.lockAcquired(CELL, 2_000 * MILLI);
        metrics.snapshotWritten(CELL, 30 * MILLI);
        metrics.applyBegins(CELL);
        metrics.applyEnded(CELL);
        assertThat(value("holdfast_wal_fsync_seconds_count", "replica=\"r1\"")).isEqualTo("1");
        assertThat(value("holdfast_wal_fsync_seconds_bucket", "replica=\"r1\"", "le=\"0.0025\""))
                .isEqualTo("0");
        assertThat(value("holdfast_wal_fsync_seconds_bucket", "replica=\"r1\"", "le=\"0.005\""))
                .isEqualTo("1");
        assertThat(value("holdfast_wal_fsync_seconds_bucket", "replica=\"r1\"", "le=\"+Inf\""))
                .isEqualTo("1");
        assertThat(value("holdfast_lock_acquire_seconds_sum", "replica=\"r1\"")).isEqualTo("2.0");
        assertThat(value("holdfast_snapshot_seconds_count", "replica=\"r1\"")).isEqualTo("1");
        assertThat(value("holdfast_apply_seconds_count", "replica=\"r1\"")).isEqualTo("1");
    }

    @Test
    void sessionsThatEndAndLiveOnAreCounted() {
        metrics.leaseRanOut(CELL);
        metrics.keepAliveBatch(CELL, 2);
        metrics.keepAliveConfirmed(CELL);
        metrics.keepAliveConfirmed(CELL);
        assertThat(value("holdfast_session_expirations_total", "reason=\"lease\"", "replica=\"r1\""))
                .isEqualTo("1.0");
        metrics.sessionEndedByOperator(CELL);
        metrics.sessionEndedByOperator(CELL);
        assertThat(value("holdfast_session_expirations_total", "reason=\"operator\"", "replica=\"r1\""))
                .isEqualTo("2.0");
        assertThat(value("holdfast_keepalives_total", "replica=\"r1\"")).isEqualTo("2.0");
        assertThat(value("holdfast_keepalive_batches_total", "replica=\"r1\"")).isEqualTo("1.0");
    }

    @Test
    void replicasOfOneProcessAreToldApart() {
        ReplicaMetrics other = process.replica("main", "r2");
        metrics.keepAliveConfirmed(CELL);
        other.keepAliveConfirmed(CELL);
        other.keepAliveConfirmed(CELL);
        assertThat(value("holdfast_keepalives_total", "replica=\"r1\"")).isEqualTo("1.0");
        assertThat(value("holdfast_keepalives_total", "replica=\"r2\"")).isEqualTo("2.0");
    }
}
