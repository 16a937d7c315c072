package io.holdfast.chaos.cutoff;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/cutoff} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class CutoffMain {
    private CutoffMain() {}

    public static void main(String[] args) throws InterruptedException {
        CutoffOptions options;
        try {
            options = CutoffOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/cutoff: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(CutoffOptions options, Verdict verdict) throws InterruptedException {
        try (CutoffShow show = new CutoffShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "cutoff-end"));
            show.run();
            return verdict.conclude("each session believed what it may, and never two in one lock");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
