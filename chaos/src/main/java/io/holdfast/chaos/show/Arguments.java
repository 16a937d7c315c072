package io.holdfast.chaos.show;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The words of a command line, each taken once; what nobody took is refused by {@link #requireNoMore}.
 *
 * <p><b>Thread:</b> one. Every problem is an {@link IllegalArgumentException} that says in one line what is wrong.
 */
public final class Arguments {
    private final Map<String, String> given = new TreeMap<>();
    private final List<String> words = new ArrayList<>();

    /** @param flags options that have no value */
    public Arguments(String[] args, Set<String> flags) {
        for (int i = 0; i < args.length; i++) {
            if (flags.contains(args[i])) {
                given.put(args[i], "");
            } else if (args[i].startsWith("--")) {
                if (i + 1 == args.length) {
                    throw new IllegalArgumentException(args[i] + " needs a value");
                }
                given.put(args[i], args[++i]);
            } else {
                words.add(args[i]);
            }
        }
    }

    public boolean flag(String name) {
        return given.remove(name) != null;
    }

    public String text(String name, String otherwise) {
        String value = given.remove(name);
        return value == null ? otherwise : value;
    }

    public Path path(String name, String otherwise) {
        return Path.of(text(name, otherwise)).toAbsolutePath();
    }

    /** Separated by commas; empty if it was not given. */
    public List<String> list(String name) {
        String value = text(name, "");
        return value.isEmpty() ? List.of() : List.of(value.split(","));
    }

    public int number(String name, int otherwise, int min, int max) {
        return number(name, text(name, Integer.toString(otherwise)), min, max);
    }

    /** The next word that belongs to no option. */
    public int word(String name, int otherwise, int min, int max) {
        return words.isEmpty() ? otherwise : number(name, words.remove(0), min, max);
    }

    private static int number(String name, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " must be " + min + " to " + max + ", not " + value);
            }
            return value;
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(name + " must be a number, not '" + text + "'", wrong);
        }
    }

    /** Written as {@code 500ms}, {@code 20s} or {@code 2m}. */
    public Duration duration(String name, Duration otherwise, Duration min, Duration max) {
        String text = given.remove(name);
        Duration value = text == null ? otherwise : parse(name, text);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    name + " must be " + min.toMillis() + " ms to " + max.toMillis() + " ms, not " + text);
        }
        return value;
    }

    /** Several, separated by commas, each positive; {@code none} for none of them. */
    public List<Duration> durations(String name, String otherwise, Duration max) {
        String text = text(name, otherwise);
        List<Duration> all = new ArrayList<>();
        for (String each : text.equals("none") ? new String[0] : text.split(",", -1)) {
            Duration duration = parse(name, each);
            if (duration.isZero() || duration.compareTo(max) > 0) {
                throw new IllegalArgumentException(name + " must be up to " + max.toSeconds() + "s each, not " + each);
            }
            all.add(duration);
        }
        return List.copyOf(all);
    }

    private static Duration parse(String name, String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        if (digits == 0 || digits > 9) {
            throw new IllegalArgumentException(name + " must be like 500ms, 20s or 2m, not '" + text + "'");
        }
        long amount = Long.parseLong(text.substring(0, digits));
        return switch (text.substring(digits)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> throw new IllegalArgumentException(name + " must be like 500ms, 20s or 2m, not '" + text + "'");
        };
    }

    /** To be called when all that is known was taken. */
    public void requireNoMore() {
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown option " + given.keySet().iterator().next());
        }
        if (!words.isEmpty()) {
            throw new IllegalArgumentException("'" + words.get(0) + "' is one argument too many");
        }
    }
}
