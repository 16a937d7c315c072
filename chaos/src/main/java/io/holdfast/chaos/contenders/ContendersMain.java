package io.holdfast.chaos.contenders;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/contenders} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class ContendersMain {
    private ContendersMain() {}

    public static void main(String[] args) throws InterruptedException {
        ContendersOptions options;
        try {
            options = ContendersOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/contenders: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(ContendersOptions options, Verdict verdict) throws InterruptedException {
        try (ContendersShow show = new ContendersShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "contenders-end"));
            show.run();
            return verdict.conclude("each hand-over woke one, all led once and in order, tokens rose");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
