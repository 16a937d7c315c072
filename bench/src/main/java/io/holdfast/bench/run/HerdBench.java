package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.HoldfastReplicas;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code bench/herd}: many waiters on one name, drained one by one. */
final class HerdBench {
    private static final int WITHIN_SECONDS = 180;

    private final Bench bench;

    HerdBench(Bench bench) {
        this.bench = bench;
    }

    void run() throws IOException, InterruptedException {
        Options options = bench.options();
        int rounds = options.integer("rounds", 3, 1);
        int waiters = options.integer("callers", 2_000, 300);
        int sessions = options.integer("sessions", 20, 20);
        Map<Contender, List<Fields>> results = new EnumMap<>(Contender.class);
        List<Contender> contenders = bench.contenders();
        for (int round = 1; round <= rounds; round++) {
            for (Contender contender : contenders) {
                System.out.println("round " + round + " of " + rounds + ": " + contender.label());
                results.computeIfAbsent(contender, key -> new ArrayList<>())
                        .add(bench.run(contender, (cluster, load, logs) -> {
                            System.out.println("  " + cluster.description());
                            // Once before it counts, for what the JVMs compile.
                            load.request(request(cluster.pids(), waiters / 4, sessions));
                            double before = grants(cluster);
                            Fields figures = load.request(request(cluster.pids(), waiters, sessions));
                            return figures.with("events", (grants(cluster) - before) / waiters);
                        }));
            }
        }
        System.out.println(waiters + " waiters on one name over " + sessions + " sessions; medians of " + rounds
                + " rounds; drained = from the first release until the last waiter has released");
        Table table =
                new Table("service", "queued s", "drained s", "per hand-over ms", "server CPU us each", "events each");
        for (Contender contender : contenders) {
            List<Fields> figures = results.getOrDefault(contender, List.of());
            double nanos = Median.of(figures, "nanos");
            table.row(
                    contender.label(),
                    Table.decimals(Median.of(figures, "queueNanos") / 1e9, 2),
                    Table.decimals(nanos / 1e9, 2),
                    Table.millis(nanos / waiters),
                    Table.micros(Median.of(figures, "cpuNanosEach")),
                    events(Median.of(figures, "events")));
        }
        table.print();
        double events = Median.of(results.getOrDefault(Contender.HOLDFAST, List.of()), "events");
        if (!Double.isNaN(events)) {
            Aims aims = new Aims();
            aims.check(
                    events == 1,
                    "Holdfast sent " + events(events) + " events for each hand-over, counted at its replicas (aim: 1)");
            aims.conclude();
        }
    }

    /** Waiters that were told so far that they hold; NaN where nobody counts that. */
    private static double grants(Cluster cluster) throws InterruptedException {
        return cluster instanceof HoldfastReplicas replicas
                ? replicas.metrics().sum("holdfast_events_total", Map.of("kind", "grant"))
                : Double.NaN;
    }

    private static String events(double each) {
        return Double.isNaN(each) ? "-" : Table.decimals(each, 3);
    }

    private static Fields request(String pids, int waiters, int sessions) {
        return new Fields("herd")
                .with("callers", waiters)
                .with("sessions", sessions)
                .with("within", WITHIN_SECONDS)
                .with("pids", pids);
    }
}
