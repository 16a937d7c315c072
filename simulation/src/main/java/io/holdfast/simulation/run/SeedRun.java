package io.holdfast.simulation.run;

import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.process.LeaseClient;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.process.SimProxy;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.workload.OperatorApp;
import io.holdfast.simulation.workload.Places;
import io.holdfast.simulation.workload.RandomApp;
import io.holdfast.simulation.workload.RandomLeases;
import io.holdfast.simulation.workload.WorkloadConfig;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One seed from beginning to end: form a cell, let clients work while faults strike, heal, require that everybody gets on,
 * empty everything, require that nothing is left and that all replicas agree.
 */
public final class SeedRun {
    private static final long FORMATION_NANOS = 30 * World.SECOND;
    private static final long RECOVERY_NANOS = 30 * World.SECOND;
    /** Longest time from a grant in the log to the client knowing of it, once all is well. */
    private static final long DELIVERY_NANOS = 10 * World.SECOND;

    private static final long DRAIN_NANOS = 40 * World.SECOND;
    private static final long MAX_LOCK_DELAY_NANOS = 8 * World.SECOND;

    private final long seed;
    private final World world;
    private final RunConfig config;
    private final Cluster cluster;
    private final List<RandomApp> apps = new ArrayList<>();
    private final List<OperatorApp> operators = new ArrayList<>();
    /** Null without shards. */
    private final @Nullable ShardLoad shardLoad;

    private final List<RandomLeases> leases = new ArrayList<>();

    private SeedRun(long seed, int replicas, double minutes, int proxies, int shards, @Nullable Appendable trace) {
        this.seed = seed;
        this.world = new World(seed, trace);
        this.config = RunConfig.draw(new Rng(Rng.mix(seed ^ 0x51ED5EEDL)), replicas, minutes)
                .withShards(shards);
        this.cluster = new Cluster(world, config, ProxyPlan.draw(seed, proxies));
        this.shardLoad = shards == 0 ? null : new ShardLoad(cluster);
    }

    /**
     * Runs a seed.
     *
     * @param replicas 3 or 5, or 0 for what the seed draws
     * @param minutes of faults, or 0 for what the seed draws
     * @param trace gets a line for what happens, or null
     */
    public static SeedResult run(long seed, int replicas, double minutes, @Nullable Appendable trace) {
        return run(seed, replicas, minutes, -1, 0, trace);
    }

    /**
     * As {@link #run(long, int, double, Appendable)}.
     *
     * @param proxies how many, or -1 for what the seed draws
     * @param shards hosted by each replica beside the first cell
     */
    public static SeedResult run(
            long seed, int replicas, double minutes, int proxies, int shards, @Nullable Appendable trace) {
        SeedRun run = new SeedRun(seed, replicas, minutes, proxies, shards, trace);
        RuntimeException violation = null;
        try {
            run.play();
        } catch (RuntimeException broken) {
            violation = broken;
        }
        return run.result(violation);
    }

    /** The violation that a seed finds, in words, or null; for callers that do not share our classes. */
    public static @Nullable String violationOf(long seed) {
        RuntimeException violation = run(seed, 0, 0, null).violation();
        return violation == null ? null : violation.toString();
    }

    private SeedResult result(@Nullable RuntimeException violation) {
        return new SeedResult(
                seed,
                violation,
                world.nowNanos(),
                world.events(),
                world.traceHash(),
                cluster.checks().log().committedIndex(),
                cluster.checks().histories().undecided(),
                world.coverage());
    }

    private void play() {
        cluster.replicas().forEach(SimReplica::start);
        await("the cell is formed and has a leader", FORMATION_NANOS, () -> cluster.leader() != null);
        cluster.proxies().forEach(SimProxy::start);
        startClients();
        if (shardLoad != null) {
            shardLoad.start();
        }
        cluster.operator().start();
        Nemesis nemesis = new Nemesis(cluster);
        ProxyFaults proxyFaults = cluster.proxies().isEmpty() ? null : new ProxyFaults(cluster);
        nemesis.start();
        if (proxyFaults != null) {
            proxyFaults.start();
        }
        cluster.run(config.chaosNanos());
        if (proxyFaults != null) {
            proxyFaults.stop();
        }
        nemesis.stopAndHeal();
        cluster.run(RECOVERY_NANOS);
        operators.forEach(OperatorApp::stop);
        await("the cell is whole again", RECOVERY_NANOS, cluster.operator()::isWhole);
        requireShardsServe();
        requireGrantsDelivered();
        gather();
        drain();
        requireNothingUnseen();
        probe();
        close();
        requireAgreement();
        cluster.cellChecks().all().forEach(Checks::atEnd);
    }

    private void startClients() {
        Rng rng = world.rng().split();
        for (int i = 0; i < config.clients(); i++) {
            SimClient client = cluster.addClient();
            WorkloadConfig workload = WorkloadConfig.draw(rng, config.locks(), config.keys(), config.thinkNanos());
            workload = config.cacheBytes() > 0 ? workload.withHotReads(rng) : workload;
            RandomApp app = new RandomApp(world, client, workload, cluster.checks(), (i + 1) * 1_000_000L);
            apps.add(app);
            client.run(app);
            client.start();
        }
        if (config.endEveryNanos() > 0) {
            SimClient client = cluster.addClient();
            OperatorApp operator = new OperatorApp(world, client, config.endEveryNanos());
            operators.add(operator);
            client.run(operator);
            client.start();
        }
        for (int i = 0; i < config.leaseClients(); i++) {
            LeaseClient client = cluster.addLeaseClient();
            RandomLeases app = new RandomLeases(
                    world,
                    client,
                    name -> cluster.cellChecks().of(name).leases(),
                    config.leaseMillis(),
                    config.thinkNanos());
            leases.add(app);
            client.run(app);
            client.start();
        }
    }

    /** Every shard answers, leads are spread within a minute, and no replica of a shard is left behind. */
    private void requireShardsServe() {
        if (shardLoad == null) {
            return;
        }
        shardLoad.askAllAgain();
        await("every shard answers", RECOVERY_NANOS, shardLoad::isAnsweredByAll);
        await("leads are spread", 2 * RECOVERY_NANOS, shardLoad::isSpread);
        shardLoad.stop();
        await("all replicas of all shards apply the same", RECOVERY_NANOS, shardLoad::isAgreed);
    }

    /** A held place whose client does not know of it for long is a lost wake-up. */
    private void requireGrantsDelivered() {
        TreeSet<Long> before = unknownHolds();
        cluster.run(DELIVERY_NANOS);
        before.retainAll(unknownHolds());
        if (!before.isEmpty()) {
            throw new Violation("no lost wake-up", "nobody told the owners of the held places " + before);
        }
    }

    private TreeSet<Long> unknownHolds() {
        TreeSet<Long> tokens = cluster.checks().model().heldTokens();
        for (SimClient client : cluster.clients()) {
            client.holds().forEach(hold -> tokens.remove(hold.token().value()));
            client.actedUnder().forEach(hold -> tokens.remove(hold.token().value())); // told, and still stopping
        }
        return tokens;
    }

    /** Every client joins the group; then its members are the places that live sessions hold, and all clients know that of theirs. */
    private void gather() {
        apps.forEach(RandomApp::gather);
        long patience = config.leaseMillis() * World.MILLI * 2 + DRAIN_NANOS;
        await("every client is a member", patience, () -> apps.stream().allMatch(RandomApp::isGathered));
        SimClient client = cluster.addClient();
        MemberLister lister = new MemberLister(client, Places.GROUP);
        client.run(lister);
        client.start();
        await("the list of the members is that of the live sessions", patience, () -> {
            TreeSet<Long> believed = new TreeSet<>();
            apps.forEach(app -> believed.addAll(app.memberships()));
            return lister.members().equals(believed)
                    && believed.equals(cluster.checks().model().heldTokens(Places.GROUP.value()));
        });
        world.coverage().seen(Seen.MEMBERS_SEEN);
        lister.close();
    }

    private void drain() {
        apps.forEach(RandomApp::drain);
        leases.forEach(RandomLeases::drain);
        await("every call is answered", DRAIN_NANOS, () -> apps.stream().allMatch(RandomApp::isDrained));
        await(
                "every call about leases is answered",
                DRAIN_NANOS,
                () -> leases.stream().allMatch(RandomLeases::isDrained));
        await(
                "no leased lock is held",
                config.leaseMillis() * World.MILLI * 2 + DRAIN_NANOS,
                () -> cluster.cellChecks().all().stream()
                        .allMatch(cell -> cell.leases().size() == 0));
        long patience = config.leaseMillis() * World.MILLI * 2 + MAX_LOCK_DELAY_NANOS + DRAIN_NANOS;
        await(
                "no place is left in a queue",
                patience,
                () -> cluster.checks().model().places() == 0);
    }

    /** R5.3, F6: when nothing happens any more, every watcher knows what there is. */
    private void requireNothingUnseen() {
        await(
                "every watcher has seen the newest state",
                DELIVERY_NANOS,
                () -> apps.stream().allMatch(app -> app.unseen() == null),
                () -> apps.stream()
                        .map(RandomApp::unseen)
                        .filter(Objects::nonNull)
                        .toList());
        apps.forEach(RandomApp::stopWatching);
        await("no watch is left of what was withdrawn", DELIVERY_NANOS, () -> watchesLeft() == 0);
    }

    /** A new client takes every lock once. */
    private void probe() {
        SimClient client = cluster.addClient();
        Prober prober = new Prober(client, Places.all(config.locks()));
        client.run(prober);
        client.start();
        await("a fresh client gets every lock", DRAIN_NANOS, prober::isDone);
    }

    private void close() {
        apps.forEach(RandomApp::close);
        long patience = config.leaseMillis() * World.MILLI * 2 + DRAIN_NANOS;
        await("all sessions end", patience, () -> cluster.checks().model().sessions() == 0);
        await("no watch is left", RECOVERY_NANOS, () -> watchesLeft() == 0);
    }

    private long watchesLeft() {
        long left = 0;
        for (SimReplica replica : cluster.replicas()) {
            var view = replica.view();
            left += view == null ? 0 : view.sizes().watches();
        }
        return left;
    }

    private void requireAgreement() {
        await("all replicas apply the same", RECOVERY_NANOS, () -> {
            long index = cluster.checks().log().committedIndex();
            for (SimReplica replica : cluster.replicas()) {
                if (cluster.checks().applied(replica.hostId()) != index) {
                    return false;
                }
            }
            return true;
        });
    }

    private void await(String what, long boundNanos, BooleanSupplier done) {
        await(what, boundNanos, done, () -> "");
    }

    private void await(String what, long boundNanos, BooleanSupplier done, Supplier<?> missing) {
        long end = world.nowNanos() + boundNanos;
        while (!done.getAsBoolean()) {
            if (world.nowNanos() >= end) {
                StringBuilder detail = new StringBuilder(what).append(": not within ");
                detail.append(boundNanos / World.MILLI).append(" ms; ").append(missing.get());
                detail.append("; ").append(cluster.checks());
                apps.forEach(app -> detail.append("; ").append(app.pending()));
                leases.forEach(app -> detail.append("; ").append(app.pending()));
                cluster.replicas().forEach(replica -> detail.append("; ").append(replica));
                cluster.proxies().forEach(proxy -> detail.append("; ").append(proxy));
                throw new Violation("progress", detail.toString());
            }
            cluster.run(100 * World.MILLI);
        }
    }
}
