package io.holdfast.chaos.lostreply;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param stride bytes between two positions
 * @param parallel so many operations are attacked side by side
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record LostReplyOptions(int replicas, int stride, int parallel, List<String> plant, Path sources, Path directory) {
    /** @throws IllegalArgumentException saying in one line what is wrong */
    static LostReplyOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        LostReplyOptions options = new LostReplyOptions(
                given.number("--replicas", 3, 1, 7),
                given.number("--stride", 1, 1, 100),
                given.number("--parallel", 9, 1, 9),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "lostreply-run"));
        given.flag("--root");
        given.flag("--keep");
        given.requireNoMore();
        return options;
    }
}
