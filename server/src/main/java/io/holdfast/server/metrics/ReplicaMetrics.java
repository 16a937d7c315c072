package io.holdfast.server.metrics;

import io.holdfast.replica.ReplicaMeter;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.storage.CellId;
import io.holdfast.storage.LogListener;
import io.holdfast.storage.LogProgress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one replica, labelled with its cell and its name. Counters and durations come from its loop and its log's
 * writer as they happen; all else is read from the replica's status when somebody asks.
 *
 * <p><b>Thread:</b> each method says who calls. Nothing blocks and nothing is looked up by name while measuring.
 */
public final class ReplicaMetrics implements ReplicaMeter, LogListener {
    /** Leading digits of the upper ends of the histograms' buckets, times 10 µs, 100 µs, 1 ms and so on. */
    private static final double[] STEPS = {1, 2.5, 5};

    private static final long FIRST_NANOS = 10_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private static final Duration[] WORK_BUCKETS = buckets(Duration.ofNanos(100_000), Duration.ofSeconds(10));
    /** Applying one entry is pure computation. */
    private static final Duration[] APPLY_BUCKETS = buckets(Duration.ofNanos(10_000), Duration.ofMillis(250));
    /** How long a lock is waited for is up to those who hold it; a snapshot takes as long as the state is large. */
    private static final Duration[] WAIT_BUCKETS = buckets(Duration.ofMillis(1), Duration.ofSeconds(250));

    static final String LEADER_CHANGES = "Leaders that this replica heard of, one per term";
    static final String COMMIT = "From the proposal of an entry until it is applied, at the leader";
    static final String PROPOSALS = "Commands that this replica took as leader, by what came of them";
    static final String HAS_LEADER = "1 if this replica knows a leader";
    static final String IS_LEADER = "1 if this replica leads and serves";
    static final String INVALIDATIONS =
            "Values that this replica, as leader, told a client to let go of, counted for each client";
    static final String UNACKED = "Since when a client that writes may wait for has not let go of what it caches";
    static final String STATE_BYTES = "State, as it counts against its limit";
    static final String LOG_BYTES = "Of the first cell: log of all cells on disk; of a shard: its entries in the log";

    private final MeterRegistry registry;
    private final String replica;
    private final Tags tags;
    private final CellId cell;
    private final LongSupplier nanoClock;

    private final Counter leaderChanges;
    private final Counter committed;
    private final Counter refused;
    private final Counter unknown;
    private final Counter leasesRunOut;
    private final Counter endedByOperators;
    private final Counter keepAlives;
    private final Counter keepAliveBatches;
    private final Counter grantsTold;
    private final Counter watchesFired;
    private final Counter reads;
    private final Counter invalidations;
    private final Timer commit;
    private final Timer fsync;
    private final Timer apply;
    private final Timer acquire;
    private final Timer snapshot;

    /** The loop's: the term of the newest leader heard of. */
    private long leaderTerm = -1;
    /** The loop's. */
    private long applyBeganNanos;

    ReplicaMetrics(MeterRegistry registry, String cell, String replica) {
        this(registry, cell, replica, System::nanoTime);
    }

    ReplicaMetrics(MeterRegistry registry, String cell, String replica, LongSupplier nanoClock) {
        this.registry = registry;
        this.replica = replica;
        this.tags = Tags.of("cell", cell, "replica", replica);
        this.cell = new CellId(cell);
        this.nanoClock = nanoClock;
        leaderChanges = counter("holdfast_leader_changes", LEADER_CHANGES);
        committed = proposals("committed");
        refused = proposals("refused");
        unknown = proposals("unknown");
        leasesRunOut = expirations("lease");
        endedByOperators = expirations("operator");
        keepAliveBatches = counter(
                "holdfast_keepalive_batches",
                "Frames with KeepAlives, of many sessions or one, that front ends sent to this leader");
        keepAlives = counter("holdfast_keepalives", "KeepAlives that this replica confirmed as leader");
        grantsTold = events("grant");
        watchesFired = events("watch");
        reads = counter("holdfast_reads", "Reads that this replica answered as leader");
        invalidations = counter("holdfast_invalidations", INVALIDATIONS);
        commit = timer("holdfast_commit", COMMIT, WORK_BUCKETS);
        fsync = timer("holdfast_wal_fsync", "Write and fsync of one batch of the log", WORK_BUCKETS);
        apply = timer("holdfast_apply", "Applying the commands of one entry to the state", APPLY_BUCKETS);
        acquire = timer(
                "holdfast_lock_acquire", "From the arrival of an acquire at the leader until it holds", WAIT_BUCKETS);
        snapshot = timer("holdfast_snapshot", "Writing a snapshot of the state", WAIT_BUCKETS);
    }

    /** The metrics of the shards beside it. Once. */
    public ShardMetrics shards(int count) {
        return new ShardMetrics(registry, count, replica);
    }

    private Counter expirations(String reason) {
        return Counter.builder("holdfast_session_expirations")
                .description("Sessions that this replica ended as leader, by reason")
                .tags(tags.and("reason", reason))
                .register(registry);
    }

    private Counter events(String kind) {
        return Counter.builder("holdfast_events")
                .description("Events that this replica sent to clients as leader, by kind")
                .tags(tags.and("kind", kind))
                .register(registry);
    }

    private Counter proposals(String outcome) {
        return Counter.builder("holdfast_proposals")
                .description(PROPOSALS)
                .tags(tags.and("outcome", outcome))
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private Timer timer(String name, String description, Duration[] buckets) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    /**
     * Adds what is read when somebody asks. Once.
     *
     * @param status for any thread, at once
     * @param logBytes likewise
     * @param disk likewise
     */
    public void watch(Supplier<ReplicaStatus> status, LongSupplier logBytes, LogProgress disk) {
        gauge("holdfast_has_leader", HAS_LEADER, status, view -> view.leader() == null ? 0 : 1);
        gauge("holdfast_is_leader", IS_LEADER, status, view -> view.serving() ? 1 : 0);
        gauge(
                "holdfast_sessions_active",
                "Open sessions",
                status,
                view -> view.sizes().sessions());
        gauge(
                "holdfast_locks_held",
                "Places that sessions hold",
                status,
                view -> view.sizes().locksHeld());
        gauge(
                "holdfast_leases_held",
                "Leased locks that are held",
                status,
                view -> view.sizes().leasesHeld());
        gauge(
                "holdfast_lock_waiters",
                "Places that wait",
                status,
                view -> view.sizes().lockWaiters());
        gauge(
                "holdfast_watches",
                "Watches of clients, at the leader",
                status,
                view -> view.sizes().watches());
        gauge(
                "holdfast_cached_paths",
                "Values, or places without one, that clients cache, at the leader",
                status,
                view -> view.caches().paths());
        gauge(
                "holdfast_invalidation_oldest_unacked_seconds",
                UNACKED,
                status,
                view -> secondsSince(view.caches().oldestAwaitedNanos()));
        gauge("holdfast_state_bytes", STATE_BYTES, status, view -> view.sizes().stateBytes());
        gauge("holdfast_log_bytes", LOG_BYTES, logBytes::getAsLong);
        gauge(
                "holdfast_wal_oldest_unconfirmed_seconds",
                "Age of the oldest write to the log that the disk has not confirmed",
                () -> disk.oldestUnconfirmedNanos() / NANOS_PER_SECOND);
        gauge("holdfast_disk_full", "1 while the log finds no room on its disk", () -> disk.isDiskFull() ? 1 : 0);
    }

    private double secondsSince(long nanos) {
        return nanos == Long.MAX_VALUE ? 0 : Math.max(0, nanoClock.getAsLong() - nanos) / NANOS_PER_SECOND;
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private void gauge(
            String name, String description, Supplier<ReplicaStatus> status, ToDoubleFunction<CellView> value) {
        gauge(name, description, () -> {
            CellView view = status.get().cell(cell);
            return view == null ? 0 : value.applyAsDouble(view);
        });
    }

    /** The loop calls: who leads the cell, as far as the replica knows. */
    public void leaderKnown(@Nullable String leader, long term) {
        if (leader != null && term > leaderTerm) {
            leaderTerm = term;
            leaderChanges.increment();
        }
    }

    @Override
    public void committed(CellId of, int commands, long nanos) {
        committed.increment(commands);
        commit.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void refused(CellId of, int commands) {
        refused.increment(commands);
    }

    @Override
    public void leftUnknown(CellId of, int commands) {
        unknown.increment(commands);
    }

    @Override
    public void applyBegins(CellId of) {
        applyBeganNanos = nanoClock.getAsLong();
    }

    @Override
    public void applyEnded(CellId of) {
        apply.record(nanoClock.getAsLong() - applyBeganNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void keepAliveBatch(CellId of, int sessions) {
        keepAliveBatches.increment();
    }

    @Override
    public void keepAliveConfirmed(CellId of) {
        keepAlives.increment();
    }

    @Override
    public void invalidated(CellId of, int paths) {
        invalidations.increment(paths);
    }

    @Override
    public void leaseRanOut(CellId of) {
        leasesRunOut.increment();
    }

    @Override
    public void sessionEndedByOperator(CellId of) {
        endedByOperators.increment();
    }

    @Override
    public void lockAcquired(CellId of, long nanos) {
        acquire.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void grantTold(CellId of) {
        grantsTold.increment();
    }

    @Override
    public void watchesFired(CellId of, int watches) {
        watchesFired.increment(watches);
    }

    @Override
    public void readAnswered(CellId of) {
        reads.increment();
    }

    @Override
    public void snapshotWritten(CellId of, long nanos) {
        snapshot.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The log's writer calls. */
    @Override
    public void synced(long nanos, long bytes, int requests) {
        if (bytes > 0) {
            fsync.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private static Duration[] buckets(Duration first, Duration last) {
        List<Duration> ends = new ArrayList<>();
        for (long scale = FIRST_NANOS; scale <= last.toNanos(); scale *= 10) {
            for (double step : STEPS) {
                Duration end = Duration.ofNanos((long) (scale * step));
                if (end.compareTo(first) >= 0 && end.compareTo(last) <= 0) {
                    ends.add(end);
                }
            }
        }
        return ends.toArray(Duration[]::new);
    }
}
