package io.holdfast.bench.run;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the command line said: {@code --key value} or {@code --flag}. Every value has a default for a full run, and some another
 * for {@code --quick}.
 */
final class Options {
    private static final List<String> FLAGS = List.of("quick", "reopen", "kill-proxy", "cache", "hold");
    private static final List<String> KEYS = List.of(
            "root",
            "data",
            "replicas",
            "systems",
            "rounds",
            "seconds",
            "warmup",
            "callers",
            "sessions",
            "holders",
            "holdfast",
            "bytes",
            "entries",
            "missed",
            "events",
            "dir",
            "in-flight",
            "rate",
            "minutes",
            "proxies",
            "processes",
            "values",
            "zipf",
            "cache-kb",
            "writes",
            "burst",
            "names",
            "connections",
            "lease-millis",
            "allow-mb");

    private final Map<String, String> values = new HashMap<>();

    private Options() {}

    static Options parse(List<String> arguments) {
        Options options = new Options();
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            String key = word.startsWith("--") ? word.substring(2) : "";
            if (FLAGS.contains(key)) {
                options.values.put(key, "true");
            } else if (KEYS.contains(key) && i + 1 < arguments.size()) {
                i++;
                options.values.put(key, arguments.get(i));
            } else {
                throw new IllegalArgumentException("not understood: " + word + " (see --help)");
            }
        }
        return options;
    }

    /** Whether a flag, an option without a value, was given. */
    boolean has(String flag) {
        return values.containsKey(flag);
    }

    boolean isQuick() {
        return values.containsKey("quick");
    }

    String text(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    /** A number, with another default in a quick run. */
    int integer(String key, int full, int quick) {
        String value = values.get(key);
        if (value == null) {
            return isQuick() ? quick : full;
        }
        return number(key, value);
    }

    private static int number(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + key + " needs a whole number, not " + value, e);
        }
    }

    /** A number that must lie between two others, both included. */
    int integer(String key, int full, int quick, int min, int max) {
        int value = integer(key, full, quick);
        if (value < min || value > max) {
            throw new IllegalArgumentException("--" + key + " must be " + min + " to " + max + ", not " + value);
        }
        return value;
    }

    double decimal(String key, double otherwise) {
        String value = values.get(key);
        try {
            return value == null ? otherwise : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + key + " needs a number, not " + value, e);
        }
    }

    List<Integer> integers(String key, String full, String quick) {
        return Arrays.stream(text(key, isQuick() ? quick : full).split(",", -1))
                .map(word -> number(key, word))
                .toList();
    }

    List<String> words(String key, String otherwise) {
        return List.of(text(key, otherwise).split(",", -1));
    }

    Path path(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("--" + key + " is missing");
        }
        return Path.of(value).toAbsolutePath();
    }
}
