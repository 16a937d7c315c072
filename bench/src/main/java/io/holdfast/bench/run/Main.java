package io.holdfast.bench.run;

import io.holdfast.bench.server.StartedPids;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * {@code Main BENCHMARK [options]}; the scripts in {@code bench/} call it. Exit status: 0 done and all aims met, 1 an aim missed,
 * 2 wrong usage, 3 the benchmark itself failed.
 */
public final class Main {
    /** Exit status: the figures fall short of an aim. */
    private static final int MISSED = 1;
    /** The benchmark itself failed. */
    private static final int FAILED = 3;

    /** Set before anything is started. */
    private static @Nullable Path logs;

    private Main() {}

    public static void main(String[] arguments) {
        try {
            List<String> words = Arrays.asList(arguments);
            Options options = Options.parse(words.subList(1, words.size()));
            run(words.get(0), options);
        } catch (IllegalArgumentException wrong) {
            System.err.println("bench: " + wrong.getMessage());
            System.exit(2);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            System.exit(FAILED);
        } catch (Exception failed) {
            System.exit(tell(failed));
        }
    }

    /** In words; what a developer needs goes to a file. Returns the exit status. */
    private static int tell(Exception thrown) {
        Throwable failed =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        boolean missed = failed instanceof AimsMissedException;
        System.err.println("bench: " + (failed.getMessage() == null ? failed : failed.getMessage()));
        if (!missed && logs != null) {
            Path trace = logs.resolve("failure.txt");
            try (PrintWriter file = new PrintWriter(trace.toFile(), StandardCharsets.UTF_8)) {
                failed.printStackTrace(file);
                System.err.println("bench: no figures came of it; where it failed is in " + trace);
            } catch (IOException unwritable) {
                System.err.println("bench: no figures came of it: " + failed);
            }
        }
        return missed ? MISSED : FAILED;
    }

    private static void run(String benchmark, Options options) throws Exception {
        if (benchmark.equals("disk")) {
            System.exit(DiskBench.run(options) ? 0 : 1);
        }
        Bench bench = new Bench(options);
        logs = bench.data();
        Work work = switch (benchmark) {
            case "locks" -> new LocksBench(bench)::run;
            case "failover" -> new FailoverBench(bench)::run;
            case "handoff" -> LoopBench.handoff(bench)::run;
            case "reads" -> LoopBench.reads(bench)::run;
            case "catchup" -> new CatchUpBench(bench)::run;
            case "creates" -> new CreatesBench(bench)::run;
            case "idle" -> new IdleBench(bench)::run;
            case "fleet" -> new FleetBench(bench)::run;
            case "leases" -> new LeasesBench(bench)::run;
            case "herd" -> new HerdBench(bench)::run;
            default -> throw new IllegalArgumentException("no such benchmark: " + benchmark);
        };
        StartedPids.recordIn(bench.data().resolve("pids"));
        MachineFacts.print(bench.data());
        work.run();
    }

    /** What was asked for, checked as far as it can be before anything runs. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
