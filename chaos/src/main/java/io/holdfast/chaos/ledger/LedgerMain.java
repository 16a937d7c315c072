package io.holdfast.chaos.ledger;

import io.holdfast.chaos.show.Verdict;
import java.io.IOException;
import java.sql.SQLException;

/** What {@code chaos/ledger} starts. Exit status: 0 green, 1 red, 2 wrong usage, 3 no verdict. */
public final class LedgerMain {
    private LedgerMain() {}

    public static void main(String[] args) throws InterruptedException {
        LedgerOptions options;
        try {
            options = LedgerOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println("chaos/ledger: " + wrong.getMessage());
            System.exit(Verdict.USAGE);
            return;
        }
        System.exit(run(options, new Verdict(System.out)));
    }

    private static int run(LedgerOptions options, Verdict verdict) throws InterruptedException {
        try (LedgerShow show = new LedgerShow(options, verdict)) {
            Runtime.getRuntime().addShutdownHook(new Thread(show::close, "ledger-end"));
            show.run();
            return verdict.conclude("the ledger balances with the guard, and not without it");
        } catch (IOException | SQLException | RuntimeException failed) {
            return verdict.failed(failed);
        }
    }
}
