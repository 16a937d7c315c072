package io.holdfast.cli.system;

import java.util.List;

/** Reads what {@code GET /metrics} answers. */
final class Metrics {
    /** What has a source by now, as scripts see it. */
    static final List<String> NAMES = List.of(
            "holdfast_has_leader",
            "holdfast_is_leader",
            "holdfast_leader_changes_total",
            "holdfast_commit_seconds_bucket",
            "holdfast_commit_seconds_count",
            "holdfast_commit_seconds_sum",
            "holdfast_wal_fsync_seconds_bucket",
            "holdfast_wal_fsync_seconds_count",
            "holdfast_wal_fsync_seconds_sum",
            "holdfast_apply_seconds_bucket",
            "holdfast_apply_seconds_count",
            "holdfast_apply_seconds_sum",
            "holdfast_proposals_total",
            "holdfast_sessions_active",
            "holdfast_session_expirations_total",
            "holdfast_keepalives_total",
            "holdfast_locks_held",
            "holdfast_lock_waiters",
            "holdfast_lock_acquire_seconds_bucket",
            "holdfast_lock_acquire_seconds_count",
            "holdfast_snapshot_seconds_count",
            "holdfast_log_bytes",
            "holdfast_wal_oldest_unconfirmed_seconds",
            "holdfast_disk_full",
            "holdfast_state_bytes");

    private static final String OF_SHARD = "cell=\"shard-";

    private Metrics() {}

    /** The sum of all series of a metric of a replica, without those of shards; -1 if there is none. */
    static double value(String scraped, String name, String replica) {
        double sum = -1;
        for (String line : scraped.lines().toList()) {
            if (line.startsWith(name + "{")
                    && line.contains("replica=\"" + replica + "\"")
                    && !line.contains(OF_SHARD)) {
                sum = Math.max(sum, 0) + Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return sum;
    }
}
