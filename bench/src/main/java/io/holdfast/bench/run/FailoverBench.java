package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.ServerProcess;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@code bench/failover}: what callers notice when the leader is killed, told to end, or frozen. */
final class FailoverBench {
    private static final int WITHIN_SECONDS = 60;
    private static final int LEADER_TRIES = 300;
    private static final int LEADER_MILLIS = 100;
    private static final int SETTLE_MILLIS = 5_000;

    private final Bench bench;
    private final int rounds;
    private final int holders;
    private final int callers;

    /** What happens to the leader. */
    private enum Event {
        KILL("kill -9"),
        TERM("SIGTERM"),
        STOP("SIGSTOP");

        private final String label;

        Event(String label) {
            this.label = label;
        }
    }

    FailoverBench(Bench bench) {
        this.bench = bench;
        this.rounds = bench.options().integer("rounds", 10, 1);
        this.holders = bench.options().integer("holders", 200, 20);
        this.callers = bench.options().integer("callers", 8, 8);
    }

    void run() throws IOException, InterruptedException {
        System.out.println(rounds + " rounds; " + holders + " sessions hold a lock each, " + callers
                + " callers of other sessions acquire and release");
        Table table = new Table(
                "service",
                "event",
                "next acquire ms: median",
                "worst",
                "all callers back ms: median",
                "worst",
                "silence ms: median",
                "worst",
                "holds lost",
                "token faults",
                "failed calls");
        for (Contender contender : bench.contenders()) {
            System.out.println(contender.label());
            Map<Event, List<Fields>> results = new EnumMap<>(Event.class);
            bench.run(contender, (cluster, load, logs) -> {
                System.out.println("  " + cluster.description());
                load.request(
                        new Fields("failover-open").with("holders", holders).with("callers", callers));
                for (int round = 1; round <= rounds; round++) {
                    for (String name : bench.options().words("events", "KILL,TERM,STOP")) {
                        Event event = Event.valueOf(name);
                        // What a server's log may be searched for.
                        Instant begin = Instant.now().truncatedTo(ChronoUnit.MILLIS);
                        Fields figures = strike(event, cluster, load);
                        results.computeIfAbsent(event, key -> new ArrayList<>()).add(figures);
                        System.out.println("  " + begin + " " + event.label + ": next acquire after "
                                + Table.millis(figures.number("firstNanos")) + " ms, all back after "
                                + Table.millis(figures.number("allNanos")) + " ms");
                    }
                }
                return results;
            });
            results.forEach((event, figures) -> row(table, contender, event, figures));
        }
        table.print();
    }

    /** Waits for a settled cluster, strikes the leader, measures, and brings it back. */
    private static Fields strike(Event event, Cluster cluster, LoadProcess load)
            throws IOException, InterruptedException {
        Thread.sleep(SETTLE_MILLIS);
        ServerProcess leader = awaitLeader(cluster);
        load.request(new Fields("failover-mark"));
        leader.signal(event.name());
        // After the signal: what the leader still granted before it had it is no fail-over. One clock for all
        // processes.
        long nanos = System.nanoTime();
        Fields figures =
                load.request(new Fields("failover-after").with("nanos", nanos).with("within", WITHIN_SECONDS));
        if (event == Event.STOP) {
            leader.signal("CONT");
        } else {
            leader.awaitEnd();
            leader.start();
        }
        return figures;
    }

    private static ServerProcess awaitLeader(Cluster cluster) throws IOException, InterruptedException {
        for (int i = 0; i < LEADER_TRIES; i++) {
            var leader = cluster.leader();
            if (leader.isPresent() && cluster.servers().stream().allMatch(ServerProcess::isAlive)) {
                return leader.get();
            }
            Thread.sleep(LEADER_MILLIS);
        }
        throw new IllegalStateException("no leader, or a server that did not come back; one of them says:\n"
                + cluster.servers().stream()
                        .min(Comparator.comparing(ServerProcess::isAlive))
                        .orElseThrow()
                        .tail());
    }

    private static void row(Table table, Contender contender, Event event, List<Fields> figures) {
        table.row(
                contender.label(),
                event.label,
                Table.millis(Median.of(figures, "firstNanos")),
                Table.millis(worst(figures, "firstNanos")),
                Table.millis(Median.of(figures, "allNanos")),
                Table.millis(worst(figures, "allNanos")),
                Table.millis(Median.of(figures, "silenceNanos")),
                Table.millis(worst(figures, "silenceNanos")),
                Table.count(worst(figures, "lost")),
                Table.count(worst(figures, "tokenFaults")),
                Table.count(worst(figures, "errors")));
    }

    private static double worst(List<Fields> figures, String key) {
        return figures.stream().mapToDouble(round -> round.decimal(key)).max().orElse(Double.NaN);
    }
}
