package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.ServerCpu;
import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.ServerMemory;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * {@code bench/idle}: what servers need when nobody asks them for anything: processor time without clients, processor time and
 * memory with many sessions that only stay alive. Fails if Holdfast's idle replicas need more than their budget.
 */
final class IdleBench {
    private static final long SETTLE_MILLIS = 15_000;
    /** Of one core, all replicas of an idle cell together. */
    private static final double BUDGET_CORES = 0.10;
    /** Of each process, besides one for each session. */
    private static final int OTHER_FILES = 500;

    private final Bench bench;
    private final List<Integer> sessions;
    private final int seconds;
    private double idleCores = Double.NaN;

    private record Sample(double cores, ServerMemory.Sample memory) {}

    IdleBench(Bench bench) {
        this.bench = bench;
        this.sessions = bench.options().integers("sessions", "1000,5000", "100,200");
        this.seconds = bench.options().integer("seconds", 60, 5);
    }

    void run() throws IOException, InterruptedException {
        MachineFacts.requireFiles(Collections.max(sessions) + OTHER_FILES);
        Table table = new Table(
                "service",
                "sessions",
                "% of a core",
                "CPU us/s each",
                "resident MB",
                "KB each",
                "heap MB",
                "heap KB each",
                "load JVM cores");
        for (Contender contender : bench.contenders()) {
            System.out.println(contender.label());
            bench.run(contender, (cluster, load, logs) -> {
                System.out.println("  " + cluster.description());
                measure(contender, cluster, load, table);
                return cluster;
            });
        }
        System.out.println("over " + seconds + " s each, " + bench.replicas()
                + " servers together; \"each\" is what was" + " added since there was no session, for each session");
        table.print();
        if (idleCores > BUDGET_CORES) {
            throw new AimsMissedException("an idle cell of Holdfast needs " + percent(idleCores) + " % of a core, its"
                    + " budget is " + percent(BUDGET_CORES) + " %");
        }
    }

    private void measure(Contender contender, Cluster cluster, LoadProcess load, Table table)
            throws IOException, InterruptedException {
        Sample none = sample(cluster);
        table.row(
                contender.label(),
                0,
                percent(none.cores),
                "-",
                megabytes(none.memory.residentBytes()),
                "-",
                megabytes(none.memory.heapBytes()),
                "-",
                "-");
        if (contender == Contender.HOLDFAST) {
            idleCores = none.cores;
        }
        for (int count : sessions) {
            load.request(new Fields("idle-open").with("sessions", count));
            ServerCpu loadCpu = new ServerCpu(String.valueOf(load.pid()));
            long before = loadCpu.nanos();
            long begin = System.nanoTime();
            Sample sample = sample(cluster);
            double loadCores = (double) (loadCpu.nanos() - before) / (System.nanoTime() - begin);
            int alive = load.request(new Fields("idle-check")).integer("alive");
            if (alive < count) {
                throw new AimsMissedException("only " + alive + " of " + count + " idle sessions stayed alive");
            }
            table.row(
                    contender.label(),
                    Table.count(count),
                    percent(sample.cores),
                    Table.decimals((sample.cores - none.cores) * 1e6 / count, 1),
                    megabytes(sample.memory.residentBytes()),
                    Table.decimals((sample.memory.residentBytes() - none.memory.residentBytes()) / 1024.0 / count, 1),
                    megabytes(sample.memory.heapBytes()),
                    Table.decimals((sample.memory.heapBytes() - none.memory.heapBytes()) / 1024.0 / count, 1),
                    Table.decimals(loadCores, 2));
        }
    }

    private Sample sample(Cluster cluster) throws InterruptedException {
        Thread.sleep(SETTLE_MILLIS);
        ServerCpu cpu = new ServerCpu(cluster.pids());
        long before = cpu.nanos();
        long begin = System.nanoTime();
        Thread.sleep(seconds * 1_000L);
        double cores = (double) (cpu.nanos() - before) / (System.nanoTime() - begin);
        return new Sample(cores, ServerMemory.of(cluster.servers()));
    }

    private static String percent(double cores) {
        return Table.decimals(cores * 100, 1);
    }

    private static String megabytes(long bytes) {
        return Table.decimals(bytes / 1048576.0, 0);
    }
}
