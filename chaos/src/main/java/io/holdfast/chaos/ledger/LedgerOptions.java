package io.holdfast.chaos.ledger;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param transfers to be made with the guard
 * @param freeze for how long a worker is stopped; beyond its lease
 * @param late how often a single holder is stopped with a write prepared
 * @param unguardedFreezes after so many the run without the guard ends, if its ledger is not wrong before
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record LedgerOptions(
        int transfers,
        int workers,
        Duration freeze,
        int late,
        int unguardedFreezes,
        List<String> plant,
        Path sources,
        Path directory) {
    private static final Duration DEFAULT_FREEZE = Duration.ofSeconds(15);
    private static final Duration MIN_FREEZE = Duration.ofSeconds(13);
    private static final Duration MAX_FREEZE = Duration.ofMinutes(2);

    /** @throws IllegalArgumentException saying in one line what is wrong */
    static LedgerOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        LedgerOptions options = new LedgerOptions(
                given.word("TRANSFERS", 10_000, 1, 10_000_000),
                given.number("--workers", 8, 2, 100),
                given.duration("--freeze", DEFAULT_FREEZE, MIN_FREEZE, MAX_FREEZE),
                given.number("--late", 3, 0, 1_000),
                given.number("--unguarded-freezes", 60, 0, 1_000),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "ledger-run"));
        given.flag("--root");
        given.flag("--keep");
        given.requireNoMore();
        return options;
    }
}
