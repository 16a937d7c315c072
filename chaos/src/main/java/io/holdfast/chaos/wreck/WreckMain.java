package io.holdfast.chaos.wreck;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/wreck} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class WreckMain {
    private WreckMain() {}

    public static void main(String[] args) throws InterruptedException {
        WreckOptions options;
        try {
            options = WreckOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/wreck: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(WreckOptions options, Verdict verdict) throws InterruptedException {
        try (WreckShow show = new WreckShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "wreck-end"));
            show.run();
            return verdict.conclude(
                    "locks were granted whenever a majority was there and only then; nothing is missing");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
