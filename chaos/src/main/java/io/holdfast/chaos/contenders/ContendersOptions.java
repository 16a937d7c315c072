package io.holdfast.chaos.contenders;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param sessions that the contenders are spread over
 * @param processes that the sessions are spread over
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record ContendersOptions(
        int contenders, int sessions, int processes, int replicas, List<String> plant, Path sources, Path directory) {
    /** @throws IllegalArgumentException saying in one line what is wrong */
    static ContendersOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        ContendersOptions options = new ContendersOptions(
                given.word("CONTENDERS", 2_000, 2, 20_000),
                given.number("--sessions", 20, 1, 2_000),
                given.number("--processes", 2, 1, 20),
                given.number("--replicas", 5, 1, 7),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "contenders-run"));
        given.flag("--root");
        given.flag("--keep");
        given.requireNoMore();
        if (options.sessions < options.processes || options.contenders < options.sessions) {
            throw new IllegalArgumentException(
                    "there must be at least as many contenders as sessions, and sessions as" + " processes");
        }
        return options;
    }

    /** Part of a whole that is dealt out in turn. */
    static int share(int whole, int parts, int part) {
        return whole / parts + (part < whole % parts ? 1 : 0);
    }
}
