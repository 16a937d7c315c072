package io.holdfast.chaos.wreck;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param pairs how often any two are killed
 * @param leaders how often the leader and then a second one are killed
 * @param majorities how often three are killed
 * @param wholes how often all five are killed
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record WreckOptions(
        int pairs, int leaders, int majorities, int wholes, List<String> plant, Path sources, Path directory) {
    private static final int MAX = 1_000;

    /** @throws IllegalArgumentException saying in one line what is wrong */
    static WreckOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        WreckOptions options = new WreckOptions(
                given.number("--pairs", 10, 0, MAX),
                given.number("--leaders", 5, 0, MAX),
                given.number("--majorities", 3, 0, MAX),
                given.number("--wholes", 10, 0, MAX),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "wreck-run"));
        given.flag("--root");
        given.flag("--keep");
        given.requireNoMore();
        return options;
    }
}
