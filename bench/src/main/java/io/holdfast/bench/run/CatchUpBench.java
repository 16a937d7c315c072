package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * {@code bench/catchup}: a follower is down for many entries and catches up while commits go on; log space on disk the
 * whole time. Fails if it does not come back, if commits stop meanwhile, or if the log grows beyond its bound.
 */
final class CatchUpBench {
    private static final long LOG_BOUND_BYTES = 64L << 20;
    private static final long POLL_MILLIS = 500;
    private static final long NEAR_ENTRIES = 100;
    private static final long WITHIN_MILLIS = 120_000;
    /** Longest time in which no write may be answered. */
    private static final long SILENCE_NANOS = 5_000_000_000L;

    private final Bench bench;
    private final int entries;
    private final int missed;
    private final int bytes;
    private long mostLogBytes;

    CatchUpBench(Bench bench) {
        this.bench = bench;
        this.entries = bench.options().integer("entries", 1_000_000, 60_000);
        this.missed = bench.options().integer("missed", 300_000, 30_000);
        this.bytes = bench.options().integer("bytes", 200, 200);
    }

    void run() throws IOException, InterruptedException {
        bench.run(Contender.HOLDFAST, (cluster, load, logs) -> {
            if (!(cluster instanceof HoldfastReplicas replicas)) {
                throw new IllegalArgumentException("--holdfast dev has no processes of their own");
            }
            attack(replicas, load);
            return replicas;
        });
    }

    private void attack(HoldfastReplicas cluster, LoadProcess load) throws IOException, InterruptedException {
        ServerProcess leader = cluster.leader().orElseThrow();
        ServerProcess follower = cluster.servers().stream()
                .filter(server -> server != leader)
                .findFirst()
                .orElseThrow();
        long before = cluster.appliedIndex(leader);
        follower.signal("KILL");
        follower.awaitEnd();
        write(cluster, load, missed);
        CompletableFuture<Void> rest = writeInBackground(load, entries - missed);
        long goal = cluster.appliedIndex(leader);
        System.out.println("follower " + follower.name() + " was down for " + Table.count(missed) + " writes in "
                + Table.count(goal - before) + " batches of the log");
        follower.start();
        awaitCaughtUp(cluster, leader, follower, goal);
        watchLogs(cluster, rest);
        System.out.println(Table.count(entries) + " writes of " + bytes + " bytes in "
                + Table.count(cluster.appliedIndex(leader) - before) + " batches; most log on one replica's disk: "
                + Table.decimals(mostLogBytes / 1048576.0, 1) + " MB");
        String snapshot = follower.printed()
                .lines()
                .filter(line -> line.contains("snapshot of index"))
                .findFirst()
                .orElse("none");
        System.out.println("its log says: " + snapshot);
        if (snapshot.equals("none") && !bench.options().isQuick()) {
            throw new AimsMissedException("the follower caught up without a snapshot");
        }
        if (mostLogBytes > LOG_BOUND_BYTES) {
            throw new AimsMissedException("the log took " + mostLogBytes + " bytes");
        }
    }

    private void awaitCaughtUp(HoldfastReplicas cluster, ServerProcess leader, ServerProcess follower, long goal)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            Thread.sleep(POLL_MILLIS);
            long newest = cluster.appliedIndex(leader);
            long own = cluster.appliedIndex(follower);
            long millis = (System.nanoTime() - begin) / 1_000_000;
            if (own >= goal && own >= newest - NEAR_ENTRIES) {
                System.out.println("caught up within " + Table.decimals(millis / 1e3, 1)
                        + " s of its start, Java's included; meanwhile "
                        + Table.count((own - goal) * 1e3 / millis) + " batches/s");
                return;
            }
            if (millis > WITHIN_MILLIS) {
                throw new AimsMissedException("not caught up: at " + own + " of " + newest);
            }
        }
    }

    private void write(HoldfastReplicas cluster, LoadProcess load, int count) throws InterruptedException {
        watchLogs(cluster, writeInBackground(load, count));
    }

    private CompletableFuture<Void> writeInBackground(LoadProcess load, int count) {
        Fields request = new Fields("writes")
                .with("callers", bench.options().integer("callers", 256, 256))
                .with("sessions", bench.options().integer("sessions", 16, 16))
                .with("bytes", bytes)
                .with("count", count);
        return CompletableFuture.runAsync(() -> {
            Fields done = load.request(request);
            System.out.println(Table.count(count) + " writes, " + Table.count(count / (done.number("nanos") / 1e9))
                    + "/s; longest time without an answer " + Table.millis(done.number("silenceNanos")) + " ms");
            if (done.number("silenceNanos") > SILENCE_NANOS) {
                throw new AimsMissedException("writes stood still");
            }
        });
    }

    private void watchLogs(HoldfastReplicas cluster, CompletableFuture<Void> writing) throws InterruptedException {
        while (!writing.isDone()) {
            Thread.sleep(POLL_MILLIS);
            for (ServerProcess server : cluster.servers()) {
                mostLogBytes = Math.max(mostLogBytes, sizeOf(cluster.logDirectory(server)));
            }
        }
        writing.join();
    }

    private static long sizeOf(Path directory) {
        long size = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                size += sizeIfThere(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return size;
    }

    /** Old segments are deleted meanwhile. */
    private static long sizeIfThere(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }
}
