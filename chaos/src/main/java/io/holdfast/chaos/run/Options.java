package io.holdfast.chaos.run;

import io.holdfast.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a run is asked to do.
 *
 * @param minutes how long to attack
 * @param only kinds of faults; all if empty
 * @param plant names of mutants to plant; none if empty
 * @param sources root of the repository, for planting
 * @param directory of the run: everything it writes
 * @param shim the compiled disk shim, if there is one
 * @param fakeTime libfaketime, if there is one
 * @param root whether the run is root in namespaces of its own
 * @param keep whether to keep the directory when all is well
 */
record Options(
        double minutes,
        long seed,
        int replicas,
        List<FaultKind> only,
        List<String> plant,
        Path sources,
        Path directory,
        @Nullable Path shim,
        @Nullable Path fakeTime,
        boolean root,
        boolean keep) {
    private static final int DEFAULT_REPLICAS = 5;
    private static final int MAX_REPLICAS = 7;
    private static final double MAX_MINUTES = 24 * 60;
    private static final Set<String> FLAGS = Set.of("--root", "--keep");

    /** @throws IllegalArgumentException saying in one line what is wrong */
    static Options parse(String[] args) {
        Map<String, String> given = new TreeMap<>();
        String minutes = null;
        for (int i = 0; i < args.length; i++) {
            if (FLAGS.contains(args[i])) {
                given.put(args[i], "");
            } else if (args[i].startsWith("--")) {
                if (i + 1 == args.length) {
                    throw new IllegalArgumentException(args[i] + " needs a value");
                }
                given.put(args[i], args[++i]);
            } else if (minutes == null) {
                minutes = args[i];
            } else {
                throw new IllegalArgumentException("'" + args[i] + "' is one argument too many");
            }
        }
        Options options = new Options(
                number("MINUTES", minutes == null ? "" : minutes),
                seed(given.remove("--seed")),
                (int) number("--replicas", take(given, "--replicas", "" + DEFAULT_REPLICAS)),
                kinds(take(given, "--only", "")),
                words(take(given, "--plant", "")),
                Path.of(take(given, "--sources", ".")),
                Path.of(take(given, "--directory", "chaos-run")).toAbsolutePath(),
                path(given.remove("--shim")),
                path(given.remove("--faketime")),
                given.remove("--root") != null,
                given.remove("--keep") != null);
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown option " + given.keySet().iterator().next());
        }
        return options.checked();
    }

    private Options checked() {
        if (minutes <= 0 || minutes > MAX_MINUTES) {
            throw new IllegalArgumentException("MINUTES must be more than 0 and at most " + MAX_MINUTES);
        }
        if (replicas < 1 || replicas > MAX_REPLICAS) {
            throw new IllegalArgumentException("--replicas must be 1 to " + MAX_REPLICAS);
        }
        return this;
    }

    private static String take(Map<String, String> given, String name, String otherwise) {
        String value = given.remove(name);
        return value == null ? otherwise : value;
    }

    private static long seed(@Nullable String text) {
        return text == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : (long) number("--seed", text);
    }

    private static double number(String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(name + " must be a number, not '" + text + "'", wrong);
        }
    }

    private static List<String> words(String commaSeparated) {
        return commaSeparated.isEmpty() ? List.of() : List.of(commaSeparated.split(","));
    }

    private static List<FaultKind> kinds(String commaSeparated) {
        return words(commaSeparated).stream().map(Options::kind).toList();
    }

    private static FaultKind kind(String label) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is called '" + label + "'; there are "
                        + Arrays.stream(FaultKind.values())
                                .map(FaultKind::label)
                                .toList()));
    }

    private static @Nullable Path path(@Nullable String text) {
        return text == null || text.isEmpty() ? null : Path.of(text).toAbsolutePath();
    }

    /** Whether a kind of fault can be done here. */
    boolean allows(FaultKind kind) {
        return switch (kind.needs()) {
            case NOTHING -> true;
            case NAMESPACES, SMALL_DISK -> root;
            case SHIM -> shim != null;
            case FAKE_TIME -> fakeTime != null;
        };
    }

    /** Those to do. */
    List<FaultKind> kinds() {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> only.isEmpty() || only.contains(kind))
                .filter(this::allows)
                .toList();
    }

    /** Those that were asked for and cannot be done here. */
    List<FaultKind> skipped() {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> only.isEmpty() || only.contains(kind))
                .filter(kind -> !allows(kind))
                .toList();
    }
}
