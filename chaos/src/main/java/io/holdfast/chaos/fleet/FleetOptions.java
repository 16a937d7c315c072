package io.holdfast.chaos.fleet;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param kills of leaders
 * @param processes that the sessions are spread over
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record FleetOptions(
        int kills, int sessions, int processes, int replicas, List<String> plant, Path sources, Path directory) {
    /** @throws IllegalArgumentException saying in one line what is wrong */
    static FleetOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        FleetOptions options = new FleetOptions(
                given.word("KILLS", 10, 1, 1_000),
                given.number("--sessions", 1_000, 1, 10_000),
                given.number("--processes", 5, 1, 50),
                given.number("--replicas", 3, 3, 7),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "fleet-run"));
        given.flag("--root");
        given.flag("--keep");
        given.requireNoMore();
        return options;
    }
}
