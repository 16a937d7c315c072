package io.holdfast.chaos.frozen;

import io.holdfast.chaos.show.Arguments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the program is asked to do.
 *
 * @param parallel so many cells share the rounds
 * @param cutPeers in which rounds the old leader hears nothing of its peers until a while after it woke
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 */
record FrozenOptions(
        int rounds,
        int replicas,
        Duration freeze,
        int parallel,
        CutPeers cutPeers,
        List<String> plant,
        Path sources,
        Path directory) {
    /** In which rounds. */
    enum CutPeers {
        NEVER,
        ALTERNATE,
        ALWAYS;

        boolean in(int round) {
            return this == ALWAYS || (this == ALTERNATE && round % 2 == 0);
        }
    }

    private static final Duration DEFAULT_FREEZE = Duration.ofSeconds(20);
    /** A new leader must have been chosen. */
    private static final Duration MIN_FREEZE = Duration.ofSeconds(5);
    /** The sessions on the old leader have a lease of 60 s and must be there when it wakes. */
    private static final Duration MAX_FREEZE = Duration.ofSeconds(40);

    /** @throws IllegalArgumentException saying in one line what is wrong */
    static FrozenOptions parse(String[] args) {
        Arguments given = new Arguments(args, Set.of("--root", "--keep"));
        boolean namespaces = given.flag("--root");
        FrozenOptions options = new FrozenOptions(
                given.word("ROUNDS", 5, 1, 10_000),
                given.number("--replicas", 3, 3, 7),
                given.duration("--freeze", DEFAULT_FREEZE, MIN_FREEZE, MAX_FREEZE),
                given.number("--parallel", 1, 1, 20),
                cutPeers(given.text("--cut-peers", namespaces ? "alternate" : "never"), namespaces),
                given.list("--plant"),
                given.path("--sources", "."),
                given.path("--directory", "frozen-run"));
        given.flag("--keep");
        given.requireNoMore();
        return options;
    }

    private static CutPeers cutPeers(String text, boolean namespaces) {
        CutPeers cut = Arrays.stream(CutPeers.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--cut-peers must be never, alternate or always, not '" + text + "'"));
        if (cut != CutPeers.NEVER && !namespaces) {
            throw new IllegalArgumentException(
                    "--cut-peers needs namespaces of the run's own, and there are none here");
        }
        return cut;
    }
}
