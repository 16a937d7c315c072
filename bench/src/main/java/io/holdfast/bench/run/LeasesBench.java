package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.HoldfastProxies;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.Setup;
import java.io.IOException;

/**
 * {@code bench/leases}: leased locks over HTTP: acquire and release on distinct names at a rate or as fast as it goes, or a burst,
 * or very many names once each.
 */
final class LeasesBench {
    private static final int SERVED_SECONDS = 60;
    private static final int OTHER_FILES = 500;
    /** Of each caller. */
    private static final int NAMES_EACH = 16;

    private static final double AIM_P99_NANOS = 50e6;
    /** Of the rate that must be reached: the clock of the load is not exact. */
    private static final double SHARE = 0.99;

    /** Acquisitions a second that must be borne in any case. */
    private static final int FLOOR = 1_160;

    private final Bench bench;
    private final Options options;
    private final int proxies;
    private final int burst;
    private final int names;

    LeasesBench(Bench bench) {
        this.bench = bench;
        this.options = bench.options();
        this.proxies = options.integer("proxies", 0, 0, 0, 50);
        this.burst = options.integer("burst", 0, 0, 0, 1_000_000);
        this.names = options.integer("names", 0, 0, 0, 100_000_000);
        if (burst > 0 && names > 0) {
            throw new IllegalArgumentException("--burst and --names are two runs");
        }
    }

    void run() throws IOException, InterruptedException {
        int connections = options.integer("connections", 2_000, 200, 1, 100_000);
        MachineFacts.requireFiles((burst > 0 ? connections : 2_000) + OTHER_FILES);
        bench.onReplicas((replicas, setup) -> {
            try (HoldfastProxies front = HoldfastProxies.start(setup, proxies, replicas.endpoints());
                    LoadProcess load = load(setup, replicas, front)) {
                System.out.println(replicas.description() + ", " + proxies + " proxies");
                load.request(new Fields("served").with("within", SERVED_SECONDS));
                Aims aims = new Aims();
                if (burst > 0) {
                    burst(load, aims, connections);
                } else if (names > 0) {
                    new LeaseNames(replicas, load, aims, options).run(names);
                } else {
                    pairs(replicas, load, aims);
                }
                aims.conclude();
            }
        });
    }

    private LoadProcess load(Setup setup, HoldfastReplicas replicas, HoldfastProxies front) {
        String addresses = String.join(",", proxies > 0 ? front.httpAddresses() : replicas.httpAddresses());
        return new LoadProcess(
                "load of leases",
                LoadProcess.java(
                        bench.classPath(Contender.HOLDFAST), 1_024, "io.holdfast.bench.leases.LeaseMain", addresses),
                setup.data().resolve("load.log"));
    }

    private void pairs(HoldfastReplicas replicas, LoadProcess load, Aims aims) throws InterruptedException {
        int minutes = options.integer("minutes", 5, 1, 1, 1_440);
        int seconds = options.integer("seconds", minutes * 60, 20, 1, 86_400);
        int rate = options.integer("rate", 0, 0, 0, 1_000_000);
        int callers = options.integer("callers", 128, 32, 1, 2_000);
        long term = replicas.term();
        Fields figures = load.request(new Fields("pairs")
                .with("callers", callers)
                .with("names", NAMES_EACH)
                .with("rate", rate)
                .with("atMost", Long.MAX_VALUE)
                .with("warmup", options.integer("warmup", 10, 3))
                .with("seconds", seconds)
                .with("pids", replicas.pids()));
        System.out.println(callers + " callers, each with names of its own, for " + seconds + " s, "
                + (rate == 0 ? "as fast as it goes" : Table.count(rate) + " pairs/s asked for"));
        Table table = new Table(
                "pairs", "pairs/s", "acquire p50 ms", "p99 ms", "p99.9 ms", "max ms", "release p99 ms", "server cores");
        table.row(
                Table.count(figures.number("pairs")),
                Table.count(figures.decimal("perSecond")),
                Table.millis(figures.number("p50Nanos")),
                Table.millis(figures.number("p99Nanos")),
                Table.millis(figures.number("p999Nanos")),
                Table.millis(figures.number("maxNanos")),
                Table.millis(figures.number("releaseP99Nanos")),
                Table.decimals(figures.decimal("cpuCores"), 2));
        table.print();
        double aim = rate == 0 ? FLOOR : SHARE * rate;
        aims.check(
                figures.decimal("perSecond") >= aim,
                Table.count(figures.decimal("perSecond")) + " pairs/s (aim: " + Table.count(aim) + ")");
        double p99 = Math.max(figures.decimal("p99Nanos"), figures.decimal("releaseP99Nanos"));
        aims.check(p99 < AIM_P99_NANOS, "p99 of acquire and release " + Table.millis(p99) + " ms (aim: below 50)");
        aims.check(
                figures.number("errors") == 0 && figures.number("unanswered") == 0,
                figures.text("errors") + " calls failed, " + figures.text("unanswered")
                        + " unanswered (aim: 0, 0); the first: " + figures.text("firstError"));
        aims.check(
                figures.number("tokenFaults") == 0,
                figures.text("tokenFaults") + " tokens did not rise for their name (aim: 0)");
        System.out.println("leader of the main cell: term " + term + ", then " + replicas.term());
    }

    private void burst(LoadProcess load, Aims aims, int connections) {
        Fields figures = load.request(new Fields("burst")
                .with("count", burst)
                .with("connections", connections)
                .with("within", 120));
        System.out.println(Table.count(burst) + " acquires due at once over up to " + Table.count(connections)
                + " connections, two owners for each of " + Table.count(figures.number("names"))
                + " names: all answered after " + Table.decimals(figures.decimal("nanos") / 1e9, 2) + " s, p50 "
                + Table.millis(figures.number("p50Nanos")) + " ms, p99 " + Table.millis(figures.number("p99Nanos"))
                + " ms");
        aims.check(
                figures.number("unanswered") == 0 && figures.number("errors") == 0,
                figures.text("unanswered") + " unanswered, " + figures.text("errors")
                        + " failed (aim: 0, 0); the first: " + figures.text("firstError"));
        aims.check(
                figures.number("twice") == 0 && figures.number("granted") == figures.number("names"),
                Table.count(figures.number("granted")) + " of " + Table.count(figures.number("names"))
                        + " names granted, " + figures.text("twice") + " of them twice (aim: all, 0); "
                        + Table.count(figures.number("refused")) + " refused as held");
        aims.check(
                figures.number("otherwise") == 0,
                figures.text("otherwise") + " names whose record has another token than was granted (aim: 0)");
    }
}
