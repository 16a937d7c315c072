package io.holdfast.chaos.cutoff;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param sessions for each length
 * @param cuts lengths for which clients are cut off, all at the same time
 * @param stops lengths for which all replicas are stopped, one after the other
 * @param sources root of the repository, for planting
 * @param plant names of mutants to plant; none if empty
 * @param directory of the run: everything it writes
 */
record CutoffOptions(
        int sessions,
        List<Duration> cuts,
        List<Duration> stops,
        boolean namespaces,
        List<String> plant,
        Path sources,
        Path directory) {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** @throws IllegalArgumentException saying in one line what is wrong */
    static CutoffOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        CutoffOptions options = new CutoffOptions(
                given.number("--sessions", 20, 1, 200),
                given.durations("--cuts", "5s,11s,13s,30s,60s", LONGEST),
                given.durations("--stops", "20s,40s,70s", LONGEST),
                given.flag("--root"),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "cutoff-run"));
        given.flag("--keep");
        given.requireNoMore();
        if (!options.cuts().isEmpty() && !options.namespaces()) {
            throw new IllegalArgumentException(
                    "packets can be dropped only in namespaces of the run's own, and there are none here (--cuts"
                            + " none)");
        }
        return options;
    }
}
