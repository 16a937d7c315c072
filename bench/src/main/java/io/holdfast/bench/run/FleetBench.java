package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.io.IOException;
import java.util.List;

/**
 * {@code bench/fleet}: many live sessions, a connection each, over proxies; what keeping them alive costs, and what happens when all
 * come at once, when a proxy dies, and when all read what changes.
 */
final class FleetBench {
    /** Under way at the first opening; nothing is judged by it. */
    private static final int FIRST_AT_ONCE = 500;

    private static final int OPEN_SECONDS = 600;

    private final Bench bench;
    private final FleetPlan plan;

    FleetBench(Bench bench) throws IOException {
        this.bench = bench;
        this.plan = FleetPlan.of(bench.options(), bench.replicas());
    }

    void run() throws IOException, InterruptedException {
        Options options = bench.options();
        System.out.println(Table.count(plan.sessions()) + " sessions in " + plan.processes() + " load processes, each "
                + (plan.hold() ? "holds a lock" : "watches one value") + "; " + plan.proxies() + " proxies, "
                + plan.replicas() + " replicas");
        bench.onReplicas((replicas, setup) -> {
            try (FleetGround ground = new FleetGround(bench, plan, replicas, setup)) {
                work(options, ground);
            }
        });
    }

    private static void work(Options options, FleetGround ground) throws IOException, InterruptedException {
        FleetSteady steady = new FleetSteady(ground);
        steady.withoutSessions();
        open(ground);
        steady.measure();
        if (options.has("reopen")) {
            new FleetReopen(ground).run();
        }
        if (options.has("kill-proxy")) {
            new FleetProxyDeath(ground).run();
        }
        if (options.has("cache")) {
            new FleetCache(ground, options).run();
        }
        ground.aims.conclude();
    }

    private static void open(FleetGround ground) throws InterruptedException {
        long begin = System.nanoTime();
        List<Fields> opened = ground.open(FIRST_AT_ONCE, OPEN_SECONDS);
        long safe = Loads.sum(opened, "safe");
        System.out.println("opened: " + Table.count(safe) + " of " + Table.count(ground.plan.sessions())
                + " are SAFE after " + Table.decimals((System.nanoTime() - begin) / 1e9, 1) + " s, at most "
                + FIRST_AT_ONCE + " under way at a time");
        if (safe < ground.plan.sessions()) {
            throw new AimsMissedException("only " + safe + " of " + ground.plan.sessions()
                    + " sessions could be opened; the first problem: " + Loads.first(opened, "problem"));
        }
    }
}
