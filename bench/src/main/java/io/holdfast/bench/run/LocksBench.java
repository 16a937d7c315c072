package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.FsyncCount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code bench/locks}: acquire and release on distinct names, Holdfast and its peers in turn. */
final class LocksBench {
    private static final int FSYNC_CALLERS = 16;
    private static final int FSYNC_SECONDS = 3;

    private final Bench bench;
    private final int rounds;
    private final int seconds;
    private final int warmup;
    private final List<Shape> shapes = new ArrayList<>();
    private final Map<Contender, Map<Shape, List<Fields>>> results = new EnumMap<>(Contender.class);
    private final Map<Contender, String> fsyncs = new EnumMap<>(Contender.class);
    private final Map<Contender, String> descriptions = new EnumMap<>(Contender.class);

    private record Shape(int callers, int sessions) implements Comparable<Shape> {
        @Override
        public int compareTo(Shape other) {
            int byCallers = Integer.compare(callers, other.callers);
            return byCallers != 0 ? byCallers : Integer.compare(sessions, other.sessions);
        }
    }

    LocksBench(Bench bench) {
        this.bench = bench;
        Options options = bench.options();
        this.rounds = options.integer("rounds", 3, 1);
        this.seconds = options.integer("seconds", 10, 3);
        this.warmup = options.integer("warmup", 5, 3);
        for (int callers : options.integers("callers", "1,16,64,256", "1,64")) {
            for (int sessions : options.integers("sessions", "1,16", "16")) {
                Shape shape = new Shape(callers, Math.min(callers, sessions));
                if (!shapes.contains(shape)) {
                    shapes.add(shape);
                }
            }
        }
    }

    void run() throws IOException, InterruptedException {
        List<Contender> contenders = bench.contenders();
        for (int round = 1; round <= rounds; round++) {
            for (Contender contender : contenders) {
                boolean last = round == rounds;
                System.out.println("round " + round + " of " + rounds + ": " + contender.label());
                bench.run(contender, (cluster, load, logs) -> measure(contender, cluster, load, last, logs));
            }
        }
        report(contenders);
    }

    private boolean measure(Contender contender, Cluster cluster, LoadProcess load, boolean last, Path logs)
            throws InterruptedException {
        descriptions.put(contender, cluster.description());
        // The first shape would pay for what all JVMs compile.
        load.request(request(cluster, new Shape(FSYNC_CALLERS, FSYNC_CALLERS), warmup, 1));
        for (Shape shape : shapes) {
            Fields figures = load.request(request(cluster, shape, Math.max(1, warmup / 2.0), seconds));
            warnOfErrors(contender, shape, figures);
            results.computeIfAbsent(contender, key -> new TreeMap<>())
                    .computeIfAbsent(shape, key -> new ArrayList<>())
                    .add(figures);
        }
        if (last) {
            FsyncCount count = FsyncCount.begin(cluster.servers(), logs);
            Fields figures = load.request(request(cluster, new Shape(FSYNC_CALLERS, FSYNC_CALLERS), 0, FSYNC_SECONDS));
            fsyncs.put(contender, count.end(figures.number("count")));
        }
        return true;
    }

    private static Fields request(Cluster cluster, Shape shape, double warmup, double seconds) {
        return new Fields("locks")
                .with("callers", shape.callers())
                .with("sessions", shape.sessions())
                .with("warmup", warmup)
                .with("seconds", seconds)
                .with("pids", cluster.pids());
    }

    private static void warnOfErrors(Contender contender, Shape shape, Fields figures) {
        if (figures.number("errors") > 0) {
            System.out.println("  " + contender.label() + ", " + shape.callers() + " callers: "
                    + figures.number("errors") + " calls failed, the first with " + figures.text("firstError"));
        }
    }

    private void report(List<Contender> contenders) {
        System.out.println();
        for (Contender contender : contenders) {
            System.out.println(descriptions.get(contender) + ": " + fsyncs.get(contender));
        }
        System.out.println("medians of " + rounds + " rounds of " + seconds
                + " s; CPU is of all server processes together; ratios are Holdfast's to the peer's");
        Table table = new Table(
                "service",
                "callers",
                "sessions",
                "pairs/s",
                "p50 ms",
                "p99 ms",
                "CPU us/pair",
                "cores",
                "pairs ratio",
                "CPU ratio");
        for (Shape shape : shapes) {
            for (Contender contender : contenders) {
                List<Fields> figures = of(contender, shape);
                table.row(
                        contender.label(),
                        shape.callers(),
                        shape.sessions(),
                        Table.count(Median.of(figures, "perSecond")),
                        Table.millis(Median.of(figures, "p50Nanos")),
                        Table.millis(Median.of(figures, "p99Nanos")),
                        Table.micros(Median.of(figures, "cpuNanosEach")),
                        Table.decimals(Median.of(figures, "cpuCores"), 2),
                        ratio(contender, shape, "perSecond"),
                        ratio(contender, shape, "cpuNanosEach"));
            }
        }
        table.print();
        shapes.forEach(this::verdict);
    }

    private List<Fields> of(Contender contender, Shape shape) {
        return results.getOrDefault(contender, Map.of()).getOrDefault(shape, List.of());
    }

    private String ratio(Contender peer, Shape shape, String key) {
        return peer == Contender.HOLDFAST ? "" : Table.ratio(ratioTo(peer, shape, key));
    }

    private double ratioTo(Contender peer, Shape shape, String key) {
        return Median.of(of(Contender.HOLDFAST, shape), key) / Median.of(of(peer, shape), key);
    }

    /** Against the aims beside ZooKeeper: 3 times its pairs with many callers, 1.5 with one, a third of its CPU, p99 under 50 ms. */
    private void verdict(Shape shape) {
        double pairs = ratioTo(Contender.ZOOKEEPER, shape, "perSecond");
        if (Double.isNaN(pairs)) {
            return;
        }
        double aim = shape.callers() >= 64 ? 3 : 1.5;
        double cpu = ratioTo(Contender.ZOOKEEPER, shape, "cpuNanosEach");
        double p99 = Median.of(of(Contender.HOLDFAST, shape), "p99Nanos");
        System.out.println(shape.callers() + " callers, " + shape.sessions() + " sessions: pairs/s "
                + met(pairs >= aim, Table.ratio(pairs) + " ZooKeeper's, aim " + Table.ratio(aim)) + "; server CPU "
                + met(cpu <= 1 / 3.0, Table.ratio(cpu) + ", aim 0.33x") + "; p99 "
                + met(p99 < 50e6, Table.millis(p99) + " ms, aim 50"));
    }

    private static String met(boolean met, String what) {
        return (met ? "met (" : "BELOW (") + what + ")";
    }
}
