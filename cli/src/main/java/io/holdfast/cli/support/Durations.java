package io.holdfast.cli.support;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as they are written on the command line: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}. */
public final class Durations implements ITypeConverter<Duration> {
    private static final Pattern FORMAT = Pattern.compile("([0-9]{1,15})(ms|s|m|h)");
    /** Longer than any process runs; keeps nanoseconds within a long. */
    private static final Duration MAX = Duration.ofDays(36_500);

    @Override
    public Duration convert(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * Reads a duration; {@code 0} needs no unit.
     *
     * @throws IllegalArgumentException with a message that shows how to write one
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration: write 500ms, 10s or 2m");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(Math.min(number, MAX.toMinutes() + 1));
            default -> Duration.ofHours(Math.min(number, MAX.toHours() + 1));
        };
        if (duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("'" + text + "' is longer than 100 years");
        }
        return duration;
    }

    /** Written as it would be read, in the largest unit that fits. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /** An age for people: {@code 850ms}, {@code 12s}, {@code 3m05s}, {@code 2h10m}, {@code 5d03h}. */
    public static String age(long millis) {
        long seconds = Math.max(millis, 0) / 1_000;
        if (seconds == 0) {
            return Math.max(millis, 0) + "ms";
        } else if (seconds < 60) {
            return seconds + "s";
        } else if (seconds < 3_600) {
            return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
        } else if (seconds < 86_400) {
            return String.format(Locale.ROOT, "%dh%02dm", seconds / 3_600, seconds / 60 % 60);
        }
        return String.format(Locale.ROOT, "%dd%02dh", seconds / 86_400, seconds / 3_600 % 24);
    }
}
