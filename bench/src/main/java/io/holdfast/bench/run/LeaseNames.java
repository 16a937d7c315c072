package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.Metrics;
import io.holdfast.bench.server.ServerMemory;
import java.util.concurrent.CompletableFuture;

/** Very many names of leased locks, once each: what they leave behind. <b>Thread:</b> one. */
final class LeaseNames {
    private static final long POLL_MILLIS = 2_000;
    /** For the last leases to end, over their length. */
    private static final long ENDING_MILLIS = 60_000;

    private static final double MEGABYTE = 1048576.0;

    private final HoldfastReplicas replicas;
    private final LoadProcess load;
    private final Aims aims;
    private final int callers;
    private final int leaseMillis;
    private final double allowBytes;
    private double peakResident;
    private double peakState;
    private double peakHeld;

    LeaseNames(HoldfastReplicas replicas, LoadProcess load, Aims aims, Options options) {
        this.replicas = replicas;
        this.load = load;
        this.aims = aims;
        this.callers = options.integer("callers", 128, 32, 1, 2_000);
        this.leaseMillis = options.integer("lease-millis", 10_000, 5_000, 1_000, 60_000);
        this.allowBytes = options.integer("allow-mb", 32, 32, 0, 100_000) * MEGABYTE;
    }

    /** What the replicas need. */
    private record Sample(ServerMemory.Sample memory, double stateBytes, double held) {}

    void run(int names) throws InterruptedException {
        Sample before = sample();
        CompletableFuture<Fields> using = CompletableFuture.supplyAsync(() -> load.request(new Fields("names")
                .with("count", names)
                .with("callers", callers)
                .with("leaseMillis", leaseMillis)));
        while (!using.isDone()) {
            Thread.sleep(POLL_MILLIS);
            peak();
        }
        Fields used = using.join();
        double held = replicas.metrics().sumOfMaxima("holdfast_leases_held", "cell");
        for (long end = System.nanoTime() + (leaseMillis + ENDING_MILLIS) * 1_000_000L;
                held > 0 && System.nanoTime() < end; ) {
            Thread.sleep(POLL_MILLIS);
            peak();
            held = replicas.metrics().sumOfMaxima("holdfast_leases_held", "cell");
        }
        Sample after = sample();
        print(names, used, before, after);
        judge(names, used, before, after);
    }

    private Sample sample() throws InterruptedException {
        Metrics metrics = replicas.metrics();
        return new Sample(ServerMemory.of(replicas.servers()), state(metrics), held(metrics));
    }

    private static double state(Metrics metrics) {
        return metrics.sumOfMaxima("holdfast_state_bytes", "cell");
    }

    private static double held(Metrics metrics) {
        return metrics.sumOfMaxima("holdfast_leases_held", "cell");
    }

    private void peak() throws InterruptedException {
        Metrics metrics = replicas.metrics();
        peakState = Math.max(peakState, state(metrics));
        peakHeld = Math.max(peakHeld, held(metrics));
        peakResident = Math.max(peakResident, ServerMemory.residentOf(replicas.servers()));
    }

    private void print(int names, Fields used, Sample before, Sample after) {
        double seconds = used.decimal("nanos") / 1e9;
        System.out.println(Table.count(names) + " names, once each, every second one released, the others left to run"
                + " out after " + leaseMillis + " ms: in " + Table.decimals(seconds, 0) + " s, "
                + Table.count(names / seconds) + "/s");
        Table table = new Table("", "before", "at the peak", "after");
        table.row("leases held", Table.count(before.held()), Table.count(peakHeld), Table.count(after.held()));
        table.row(
                "state MB, all cells once",
                megabytes(before.stateBytes()),
                megabytes(peakState),
                megabytes(after.stateBytes()));
        table.row(
                "resident MB, all replicas",
                megabytes(before.memory().residentBytes()),
                megabytes(peakResident),
                megabytes(after.memory().residentBytes()));
        table.row(
                "heap MB after a collection",
                megabytes(before.memory().heapBytes()),
                "-",
                megabytes(after.memory().heapBytes()));
        table.print();
    }

    private static String megabytes(double bytes) {
        return Table.decimals(bytes / MEGABYTE, 1);
    }

    private void judge(int names, Fields used, Sample before, Sample after) {
        aims.check(
                used.number("granted") == names && used.number("errors") == 0,
                Table.count(used.number("granted")) + " of " + Table.count(names) + " granted, " + used.text("errors")
                        + " calls failed (aim: all, 0); the first: " + used.text("firstError"));
        aims.check(after.held() == 0, Table.count(after.held()) + " leases held after they ended (aim: 0)");
        double state = after.stateBytes() - before.stateBytes();
        aims.check(
                state <= allowBytes,
                "the state of all cells is " + megabytes(state) + " MB larger than before (aim: at most "
                        + megabytes(allowBytes) + ", for the freed records that R7.3 remembers)");
        double heap = (double) (after.memory().heapBytes() - before.memory().heapBytes())
                / replicas.servers().size();
        aims.check(
                heap <= 2 * allowBytes,
                "the heap of a replica is " + megabytes(heap) + " MB larger than before (aim: at most "
                        + megabytes(2 * allowBytes) + ")");
    }
}
