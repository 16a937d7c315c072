package io.holdfast.chaos.lostreply;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/lostreply} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class LostReplyMain {
    private LostReplyMain() {}

    public static void main(String[] args) throws InterruptedException {
        LostReplyOptions options;
        try {
            options = LostReplyOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/lostreply: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(LostReplyOptions options, Verdict verdict) throws InterruptedException {
        try (LostReplyShow show = new LostReplyShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "lostreply-end"));
            show.run();
            return verdict.conclude("each operation was applied once, wherever its connection was cut");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
