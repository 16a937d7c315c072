package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code bench/handoff} and {@code bench/reads}: one workload, one shape, each service in turn. */
final class LoopBench {
    private final Bench bench;
    private final Fields request;
    private final String unit;
    private final String explained;

    private LoopBench(Bench bench, Fields request, String unit, String explained) {
        this.bench = bench;
        this.request = request;
        this.unit = unit;
        this.explained = explained;
    }

    static LoopBench handoff(Bench bench) {
        Options options = bench.options();
        int callers = options.integer("callers", 64, 64);
        int sessions = options.integer("sessions", callers, callers);
        return new LoopBench(
                bench,
                new Fields("handoff").with("callers", callers).with("sessions", sessions),
                "hand-overs/s",
                callers + " waiters on one name over " + sessions
                        + " sessions; from the call of release to the return of the next acquire");
    }

    static LoopBench reads(Bench bench) {
        Options options = bench.options();
        int callers = options.integer("callers", 64, 64);
        int sessions = options.integer("sessions", 16, 16);
        int bytes = options.integer("bytes", 1_024, 1_024);
        return new LoopBench(
                bench,
                new Fields("reads")
                        .with("callers", callers)
                        .with("sessions", sessions)
                        .with("bytes", bytes),
                "reads/s",
                callers + " callers over " + sessions + " sessions read " + bytes
                        + " bytes linearizably (ZooKeeper: sync, then read)");
    }

    void run() throws IOException, InterruptedException {
        int rounds = bench.options().integer("rounds", 3, 1);
        int seconds = bench.options().integer("seconds", 10, 3);
        int warmup = bench.options().integer("warmup", 5, 3);
        Map<Contender, List<Fields>> results = new EnumMap<>(Contender.class);
        List<Contender> contenders = bench.contenders();
        for (int round = 1; round <= rounds; round++) {
            for (Contender contender : contenders) {
                System.out.println("round " + round + " of " + rounds + ": " + contender.label());
                Fields figures = bench.run(contender, (cluster, load, logs) -> {
                    System.out.println("  " + cluster.description());
                    return load.request(Fields.parse(request.toString())
                            .with("warmup", warmup)
                            .with("seconds", seconds)
                            .with("pids", cluster.pids()));
                });
                results.computeIfAbsent(contender, key -> new ArrayList<>()).add(figures);
            }
        }
        System.out.println(explained + "; medians of " + rounds + " rounds of " + seconds + " s");
        Table table = new Table("service", unit, "p50 ms", "p99 ms", "max ms", "server CPU us each", "errors");
        for (Contender contender : contenders) {
            List<Fields> figures = results.getOrDefault(contender, List.of());
            table.row(
                    contender.label(),
                    Table.count(Median.of(figures, "perSecond")),
                    Table.millis(Median.of(figures, "p50Nanos")),
                    Table.millis(Median.of(figures, "p99Nanos")),
                    Table.millis(Median.of(figures, "maxNanos")),
                    Table.micros(Median.of(figures, "cpuNanosEach")),
                    Table.count(Median.of(figures, "errors")));
        }
        table.print();
    }
}
