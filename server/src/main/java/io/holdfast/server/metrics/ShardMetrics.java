package io.holdfast.server.metrics;

import io.holdfast.model.Shards;
import io.holdfast.replica.ReplicaMeter;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.storage.CellId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a replica's shards, each labelled with its cell. There are many shards, so of each only what says whether it
 * works and how busy it is; a histogram has few buckets.
 *
 * <p><b>Thread:</b> as {@link ReplicaMetrics}.
 */
public final class ShardMetrics implements ReplicaMeter {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    /** Of one shard; its tags carry the names under which the first cell has them too. */
    private static final class OfShard {
        final CellId cell;
        final Tags tags;
        final Counter leaderChanges;
        final Counter committed;
        final Counter refused;
        final Counter unknown;
        final Timer commit;
        /** The loop's. */
        long leaderTerm = -1;

        OfShard(MeterRegistry registry, String cell, String replica) {
            this.cell = new CellId(cell);
            this.tags = Tags.of("cell", cell, "replica", replica);
            leaderChanges = Counter.builder("holdfast_leader_changes")
                    .description(ReplicaMetrics.LEADER_CHANGES)
                    .tags(tags)
                    .register(registry);
            committed = proposals(registry, "committed");
            refused = proposals(registry, "refused");
            unknown = proposals(registry, "unknown");
            commit = Timer.builder("holdfast_commit")
                    .description(ReplicaMetrics.COMMIT)
                    .tags(tags)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
        }

        private Counter proposals(MeterRegistry registry, String outcome) {
            return Counter.builder("holdfast_proposals")
                    .description(ReplicaMetrics.PROPOSALS)
                    .tags(tags.and("outcome", outcome))
                    .register(registry);
        }
    }

    private final MeterRegistry registry;
    private final List<OfShard> all = new ArrayList<>();
    private final Map<CellId, OfShard> byCell = new TreeMap<>();

    ShardMetrics(MeterRegistry registry, int shards, String replica) {
        this.registry = registry;
        for (String cell : new Shards(shards).cellNames()) {
            OfShard shard = new OfShard(registry, cell, replica);
            all.add(shard);
            byCell.put(shard.cell, shard);
        }
    }

    /** Adds what is read when somebody asks. Once. */
    public void watch(Supplier<ReplicaStatus> status) {
        for (OfShard shard : all) {
            gauge(
                    shard,
                    "holdfast_has_leader",
                    ReplicaMetrics.HAS_LEADER,
                    status,
                    view -> view.leader() == null ? 0 : 1);
            gauge(shard, "holdfast_is_leader", ReplicaMetrics.IS_LEADER, status, view -> view.serving() ? 1 : 0);
            gauge(
                    shard,
                    "holdfast_state_bytes",
                    ReplicaMetrics.STATE_BYTES,
                    status,
                    view -> view.sizes().stateBytes());
            gauge(shard, "holdfast_log_bytes", ReplicaMetrics.LOG_BYTES, status, CellView::logBytes);
        }
    }

    private void gauge(
            OfShard shard,
            String name,
            String description,
            Supplier<ReplicaStatus> status,
            ToDoubleFunction<CellView> value) {
        Gauge.builder(name, () -> {
                    CellView view = status.get().cell(shard.cell);
                    return view == null ? 0 : value.applyAsDouble(view);
                })
                .description(description)
                .tags(shard.tags)
                .strongReference(true)
                .register(registry);
    }

    private @Nullable OfShard of(CellId cell) {
        return byCell.get(cell);
    }

    /** The loop calls: who leads a shard, as far as the replica knows. */
    public void leaderKnown(CellId cell, @Nullable String leader, long term) {
        OfShard shard = of(cell);
        if (shard != null && leader != null && term > shard.leaderTerm) {
            shard.leaderTerm = term;
            shard.leaderChanges.increment();
        }
    }

    @Override
    public void committed(CellId cell, int commands, long nanos) {
        OfShard shard = of(cell);
        if (shard != null) {
            shard.committed.increment(commands);
            shard.commit.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void refused(CellId cell, int commands) {
        OfShard shard = of(cell);
        if (shard != null) {
            shard.refused.increment(commands);
        }
    }

    @Override
    public void leftUnknown(CellId cell, int commands) {
        OfShard shard = of(cell);
        if (shard != null) {
            shard.unknown.increment(commands);
        }
    }
}
