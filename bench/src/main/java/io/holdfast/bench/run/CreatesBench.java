package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * {@code bench/creates}: how many nodes can be created in a second with many in flight, and what a create takes when so many are
 * asked for in each second whatever the service does. Fails if Holdfast does not sustain that rate.
 */
final class CreatesBench {
    /** Of the rate that must be reached: the clock of the load is not exact. */
    private static final double SHARE = 0.99;

    private final Bench bench;
    private final int rate;
    private final int seconds;
    private final int inFlight;
    private final Fields request;

    CreatesBench(Bench bench) {
        Options options = bench.options();
        this.bench = bench;
        this.rate = options.integer("rate", 10_000, 1_000);
        this.seconds = options.integer("seconds", 60, 3);
        this.inFlight = options.integer("in-flight", 2_048, 256);
        this.request = new Fields("creates")
                .with("sessions", options.integer("sessions", 16, 4))
                .with("bytes", options.integer("bytes", 100, 100))
                .with("inFlight", inFlight)
                .with("warmup", options.integer("warmup", 10, 2))
                .with("seconds", seconds);
    }

    void run() throws IOException, InterruptedException {
        Table table = new Table(
                "service",
                "load",
                "creates/s",
                "in the slowest second",
                "p50 ms",
                "p99 ms",
                "max ms",
                "load behind ms",
                "server cores",
                "errors");
        Map<Contender, Fields> atRate = new EnumMap<>(Contender.class);
        for (Contender contender : bench.contenders()) {
            bench.run(contender, (cluster, load, logs) -> {
                System.out.println(cluster.description());
                Fields closed = load.request(of(0, cluster.pids()));
                row(table, contender, inFlight + " in flight", closed);
                Fields open = load.request(of(rate, cluster.pids()));
                row(table, contender, Table.count(rate) + "/s", open);
                atRate.put(contender, open);
                return cluster;
            });
        }
        System.out.println(Table.count(request.integer("bytes")) + " bytes each, " + request.text("sessions")
                + " sessions, for " + seconds + " s; at a rate, a create counts from when it was due");
        table.print();
        Fields ours = atRate.get(Contender.HOLDFAST);
        if (ours != null) {
            judge(ours);
        }
    }

    private Fields of(int creates, String pids) {
        return Fields.parse(request.toString()).with("rate", creates).with("pids", pids);
    }

    private static void row(Table table, Contender contender, String load, Fields figures) {
        table.row(
                contender.label(),
                load,
                Table.count(figures.decimal("perSecond")),
                Table.count(figures.decimal("slowestSecond")),
                Table.millis(figures.number("p50Nanos")),
                Table.millis(figures.number("p99Nanos")),
                Table.millis(figures.number("maxNanos")),
                Table.millis(figures.number("behindNanos")),
                Table.decimals(figures.decimal("cpuCores"), 2),
                Table.count(figures.decimal("errors")));
    }

    private void judge(Fields ours) {
        String words = "Holdfast: " + Table.count(rate) + " creates/s for " + seconds + " s on " + bench.replicas()
                + " replicas: ";
        if (ours.decimal("perSecond") < SHARE * rate || ours.number("errors") > 0) {
            throw new AimsMissedException(words + "NOT sustained, " + Table.count(ours.decimal("perSecond")) + "/s, "
                    + ours.text("errors") + " errors, the first: " + ours.text("firstError"));
        }
        System.out.println(words + "sustained, p99 " + Table.millis(ours.number("p99Nanos")) + " ms");
    }
}
