package io.holdfast.simulation.run;

import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs seeds from the command line.
 *
 * <pre>
 * simulation/run --seeds 1000 --from 1
 * simulation/run --seed 4711 --trace
 * </pre>
 */
public final class Simulate {
    private static final double NANOS_PER_HOUR = 3_600e9;

    private final Options options;
    private final PrintStream out;
    private final Coverage coverage = new Coverage();
    private final List<SeedResult> failures = new ArrayList<>();
    private final AtomicLong nextSeed;
    private final AtomicBoolean stop = new AtomicBoolean();
    private long done;
    private double virtualHours;
    private long events;
    private long entries;
    private long undecided;

    private record Options(
            long from,
            long seeds,
            int replicas,
            int shards,
            double minutes,
            int proxies,
            int threads,
            boolean trace,
            boolean verbose,
            int keepGoing) {}

    private Simulate(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.nextSeed = new AtomicLong(options.from());
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Options options;
        try {
            options = parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.println("usage: simulation/run [--seeds N] [--from S] [--seed S [--trace]] [--minutes M]"
                    + " [--replicas 3|5] [--proxies P] [--shards K] [--threads T] [--failures F] [--verbose]");
            System.exit(2);
            return;
        }
        System.exit(new Simulate(options, System.out).run() ? 0 : 1);
    }

    private static Options parse(String[] arguments) {
        long from = 1;
        long seeds = 100;
        int replicas = 0;
        int shards = 0;
        double minutes = 0;
        int proxies = -1;
        int threads = 2;
        boolean trace = false;
        boolean verbose = false;
        int failures = 1;
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            if (name.equals("--trace")) {
                trace = true;
                continue;
            }
            if (name.equals("--verbose")) {
                verbose = true;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("unknown option or missing value: " + name);
            }
            String value = arguments[++i];
            switch (name) {
                case "--from" -> from = Long.parseLong(value);
                case "--seeds" -> seeds = Long.parseLong(value);
                case "--seed" -> {
                    from = Long.parseLong(value);
                    seeds = 1;
                }
                case "--replicas" -> replicas = Integer.parseInt(value);
                case "--proxies" -> proxies = Integer.parseInt(value);
                case "--shards" -> shards = Integer.parseInt(value);
                case "--minutes" -> minutes = Double.parseDouble(value);
                case "--threads" -> threads = Integer.parseInt(value);
                case "--failures" -> failures = Integer.parseInt(value);
                default -> throw new IllegalArgumentException("unknown option: " + name);
            }
        }
        return new Options(
                from, seeds, replicas, shards, minutes, proxies, threads, trace && seeds == 1, verbose, failures);
    }

    private boolean run() throws InterruptedException, IOException {
        long start = System.nanoTime();
        Thread whenStopped = new Thread(() -> report((System.nanoTime() - start) / 1e9));
        Runtime.getRuntime().addShutdownHook(whenStopped); // a long run that is cut short tells how far it came
        if (options.trace()) {
            add(SeedRun.run(
                    options.from(), options.replicas(), options.minutes(), options.proxies(), options.shards(), out));
        } else {
            runAll();
        }
        Runtime.getRuntime().removeShutdownHook(whenStopped);
        report((System.nanoTime() - start) / 1e9);
        return failures.isEmpty();
    }

    private void runAll() throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(options.threads());
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < options.threads(); i++) {
            running.add(workers.submit(this::work));
        }
        workers.shutdown();
        for (Future<?> worker : running) {
            try {
                worker.get();
            } catch (ExecutionException broken) {
                throw new IllegalStateException("a worker failed", broken.getCause());
            }
        }
    }

    private void work() {
        while (!stop.get()) {
            long seed = nextSeed.getAndIncrement();
            if (seed >= options.from() + options.seeds()) {
                return;
            }
            add(SeedRun.run(seed, options.replicas(), options.minutes(), options.proxies(), options.shards(), null));
        }
    }

    private synchronized void add(SeedResult result) {
        done++;
        virtualHours += result.virtualNanos() / NANOS_PER_HOUR;
        events += result.events();
        entries += result.entries();
        undecided += result.undecided();
        if (options.verbose()) {
            out.printf(
                    "seed %d %s: %.0f s virtual, %,d events, %,d entries, trace %016x%n",
                    result.seed(),
                    result.isGreen() ? "green" : "FAILED",
                    result.virtualNanos() / 1e9,
                    result.events(),
                    result.entries(),
                    result.traceHash());
        }
        coverage.add(result.coverage());
        RuntimeException violation = result.violation();
        if (violation != null) {
            failures.add(result);
            out.println("FAILED seed " + result.seed() + " at " + result.virtualNanos() / 1_000_000 + " ms: "
                    + Checks.stack(violation));
            out.println("replay: simulation/run --seed " + result.seed() + replayOptions() + " --trace");
            if (failures.size() >= options.keepGoing()) {
                stop.set(true);
            }
        }
    }

    private String replayOptions() {
        return (options.proxies() >= 0 ? " --proxies " + options.proxies() : "")
                + (options.shards() > 0 ? " --shards " + options.shards() : "")
                + (options.replicas() > 0 ? " --replicas " + options.replicas() : "")
                + (options.minutes() > 0 ? " --minutes " + options.minutes() : "");
    }

    private synchronized void report(double seconds) {
        for (Seen seen : Seen.values()) {
            out.printf("%-26s %,d%n", seen, coverage.count(seen));
        }
        out.printf(
                "%d seeds (%d to %d), %d failed; %.1f seeds/s, %.1f simulated hours, %,d events, %,d log entries,"
                        + " %d histories undecided, %.0f s%n",
                done,
                options.from(),
                options.from() + done - 1,
                failures.size(),
                done / seconds,
                virtualHours,
                events,
                entries,
                undecided,
                seconds);
    }
}
