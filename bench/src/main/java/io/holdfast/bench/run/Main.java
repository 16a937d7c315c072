package io.holdfast.bench.run;

import io.holdfast.bench.server.StartedPids;
import java.util.Arrays;
import java.util.List;

/** {@code Main BENCHMARK [options]}; the scripts in {@code bench/} call it. */
public final class Main {
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
            System.exit(1);
        } catch (Exception failed) {
            System.err.println("bench: " + failed.getMessage());
            failed.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(String benchmark, Options options) throws Exception {
        if (benchmark.equals("disk")) {
            System.exit(DiskBench.run(options) ? 0 : 1);
        }
        Bench bench = new Bench(options);
        StartedPids.recordIn(bench.data().resolve("pids"));
        MachineFacts.print(bench.data());
        switch (benchmark) {
            case "locks" -> new LocksBench(bench).run();
            case "failover" -> new FailoverBench(bench).run();
            case "handoff" -> LoopBench.handoff(bench).run();
            case "reads" -> LoopBench.reads(bench).run();
            case "catchup" -> new CatchUpBench(bench).run();
            case "creates" -> new CreatesBench(bench).run();
            case "idle" -> new IdleBench(bench).run();
            case "herd" -> new HerdBench(bench).run();
            default -> throw new IllegalArgumentException("no such benchmark: " + benchmark);
        }
    }
}
