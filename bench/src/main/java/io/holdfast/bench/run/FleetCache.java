package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.Latencies;
import java.util.ArrayList;
import java.util.List;

/** All read: each one of many values, and all one flag, which is written now and then. <b>Thread:</b> one. */
final class FleetCache {
    private static final int VALUE_BYTES = 100;
    private static final int WITHIN_SECONDS = 30;
    private static final long SLOW_FLAG_MILLIS = 1_000;
    private static final long FAST_FLAG_MILLIS = 200;
    private static final long BETWEEN_WRITES_MILLIS = 1_000;
    private static final double AIM_SHARE = 0.99;
    private static final double AIM_P99_NANOS = 1e9;

    private final FleetGround ground;
    private final int values;
    private final double zipf;
    private final int writes;
    private final int warmSeconds;
    private final int seconds;

    private record Write(int version, long beginNanos, long ackNanos) {}

    FleetCache(FleetGround ground, Options options) {
        this.ground = ground;
        this.values = options.integer("values", 30_000, 1_000, 1, 1_000_000);
        this.zipf = options.decimal("zipf", 1.1);
        this.writes = options.integer("writes", 10, 3, 1, 1_000);
        this.warmSeconds = options.integer("warmup", 120, 10, 0, 3_600);
        this.seconds = Math.min(ground.plan.seconds(), 60);
    }

    void run() throws InterruptedException {
        ground.outside(new Fields("values").with("count", values).with("bytes", VALUE_BYTES));
        ground.fleet.request(i -> new Fields("reads-begin")
                .with("values", values)
                .with("zipf", zipf)
                .with("flagMillis", SLOW_FLAG_MILLIS)
                .with("writes", writes));
        Thread.sleep(warmSeconds * 1_000L);
        share();
        ground.fleet.request(i -> new Fields("reads-mark").with("flagMillis", FAST_FLAG_MILLIS));
        Thread.sleep(BETWEEN_WRITES_MILLIS);
        List<Write> written = write();
        List<Fields> ended = ground.fleet.request(i -> new Fields("reads-end"));
        long stale = 0;
        for (Write write : written) {
            stale = Math.max(stale, Loads.max(seen(write, 0), "staleNanos"));
        }
        ground.aims.check(
                stale <= 0,
                stale <= 0
                        ? "no read that began after a write was acknowledged returned an older version"
                        : "a read that began " + Table.millis(stale)
                                + " ms after a write was acknowledged returned an older version (aim: none)");
        long backwards = Loads.sum(ended, "backwards");
        ground.aims.check(backwards == 0, backwards + " reads went back in time for their client (aim: 0)");
        long errors = Loads.sum(ended, "errors");
        ground.aims.check(
                errors == 0, errors + " reads failed, the first: " + Loads.first(ended, "firstError") + " (aim: 0)");
    }

    private void share() throws InterruptedException {
        ground.fleet.request(i -> new Fields("reads-mark").with("flagMillis", SLOW_FLAG_MILLIS));
        double before = ground.metrics().sum("holdfast_reads_total");
        Thread.sleep(seconds * 1_000L);
        double atCell = ground.metrics().sum("holdfast_reads_total") - before;
        List<Fields> read = ground.fleet.request(i -> new Fields("reads-figures"));
        long reads = Loads.sum(read, "reads");
        double share = reads == 0 ? 0 : 1 - atCell / reads;
        System.out.println(Table.count(ground.plan.sessions()) + " clients with caches of "
                + Table.count(ground.plan.cacheBytes() / 1024.0) + " KB read one of " + Table.count(values)
                + " values and the flag each second: " + Table.count((double) reads / seconds) + " reads/s, "
                + Table.count(atCell / seconds) + " of them at the leader; " + Loads.sum(read, "skipped")
                + " not begun as too many were open");
        ground.aims.check(
                share >= AIM_SHARE,
                Table.decimals(share * 100, 2) + " % of the reads never reached the cell (aim: 99)");
    }

    private List<Write> write() throws InterruptedException {
        List<Write> written = new ArrayList<>();
        Latencies latency = new Latencies();
        Latencies delays = new Latencies();
        long unseen = 0;
        for (int version = 1; version <= writes; version++) {
            Fields done = ground.outside(new Fields("write").with("version", version));
            Write write = new Write(version, done.number("beginNanos"), done.number("ackNanos"));
            written.add(write);
            latency.record(write.ackNanos() - write.beginNanos());
            List<Fields> seen = seen(write, WITHIN_SECONDS);
            seen.forEach(each -> delays.add(each.text("delays")));
            unseen += ground.plan.sessions() - Loads.sum(seen, "seen");
            Thread.sleep(BETWEEN_WRITES_MILLIS);
        }
        System.out.println(writes + " writes of the flag: p50 " + Table.millis(latency.nanosAt(50)) + " ms, worst "
                + Table.millis(latency.maxNanos()) + " ms; each client looks every " + FAST_FLAG_MILLIS + " ms");
        ground.aims.check(
                unseen == 0 && delays.nanosAt(99) < AIM_P99_NANOS,
                "a write is seen by clients, counted from its begin, after p50 " + Table.millis(delays.nanosAt(50))
                        + " ms, p99 " + Table.millis(delays.nanosAt(99)) + " ms, the last after "
                        + Table.millis(delays.maxNanos()) + " ms; never by " + unseen
                        + " (aim: p99 below 1,000, by all)");
        return written;
    }

    private List<Fields> seen(Write write, int within) throws InterruptedException {
        return ground.fleet.request(i -> new Fields("seen")
                .with("version", write.version())
                .with("since", write.beginNanos())
                .with("acked", write.ackNanos())
                .with("within", within));
    }
}
