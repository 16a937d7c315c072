package io.holdfast.chaos.fleet;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;

/** What {@code chaos/fleet} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class FleetMain {
    private FleetMain() {}

    public static void main(String[] args) throws InterruptedException {
        FleetOptions options;
        try {
            options = FleetOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/fleet: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(FleetOptions options, Verdict verdict) throws InterruptedException {
        try (FleetShow show = new FleetShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "fleet-end"));
            show.run();
            return verdict.conclude("no session ended, no lock changed hands, everything asked for was done once");
        } catch (IOException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
