package io.holdfast.chaos.run;

import java.io.IOException;
import java.nio.file.Files;

/** What {@code chaos/run} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class ChaosMain {
    private static final int USAGE = 2;

    private ChaosMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/run: " + wrong.getMessage());
            System.exit(USAGE);
            return;
        }
        Files.createDirectories(options.directory());
        Report report = new Report(System.out, options.directory().resolve("report.txt"));
        report.line("seed " + options.seed() + ", " + options.replicas() + " replicas, " + options.minutes()
                + " minutes" + (options.plant().isEmpty() ? "" : ", planted: " + options.plant()));
        report.skipped(options);
        System.exit(run(options, report));
    }

    private static int run(Options options, Report report) throws InterruptedException {
        try (ChaosRun run = new ChaosRun(options, report)) {
            Runtime.getRuntime().addShutdownHook(new Thread(run::close, "chaos-end"));
            return run.run().exitStatus();
        } catch (IOException | RuntimeException failed) {
            return report.failed(failed).exitStatus();
        }
    }
}
