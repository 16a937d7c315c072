package io.holdfast.chaos.frozen;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/frozen} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class FrozenMain {
    private FrozenMain() {}

    public static void main(String[] args) throws InterruptedException {
        FrozenOptions options;
        try {
            options = FrozenOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/frozen: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(FrozenOptions options, Verdict verdict) throws InterruptedException {
        verdict.line(options.rounds() + " rounds, leader frozen for "
                + options.freeze().toMillis() + " ms, "
                + options.parallel() + " cells of " + options.replicas() + " replicas"
                + (options.plant().isEmpty() ? "" : ", planted: " + options.plant()));
        try (FrozenShow show = new FrozenShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "frozen-end"));
            show.run();
            return verdict.conclude("no read was stale, nothing was confirmed that was not so, no hold was lost");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
