package io.holdfast.bench.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one or several processes said at {@code /metrics}, in the text form of Prometheus.
 *
 * <p><b>Thread:</b> any; unchangeable.
 */
public final class Metrics {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([^ ]+)(?: -?[0-9]+)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * One line.
     *
     * @param labels by name
     */
    public record Series(String name, Map<String, String> labels, double value) {}

    private final List<Series> all;

    private Metrics(List<Series> all) {
        this.all = List.copyOf(all);
    }

    /** Comments and what cannot be read are left out. */
    public static Metrics parse(String text) {
        List<Series> found = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Matcher matcher = LINE.matcher(line.trim());
            if (!line.startsWith("#") && matcher.matches()) {
                Map<String, String> labels = new TreeMap<>();
                Matcher label = LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
                while (label.find()) {
                    labels.put(label.group(1), label.group(2));
                }
                try {
                    found.add(new Series(matcher.group(1), labels, number(matcher.group(3))));
                } catch (NumberFormatException notANumber) {
                    // left out
                }
            }
        }
        return new Metrics(found);
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /**
     * Asks each of these HTTP addresses.
     *
     * @param addresses {@code host:port}
     * @throws IllegalStateException naming the one that does not answer
     */
    public static Metrics of(List<String> addresses) throws InterruptedException {
        List<Series> found = new ArrayList<>();
        for (String address : addresses) {
            try {
                found.addAll(parse(Http.get("http://" + address + "/metrics")).all);
            } catch (IOException noAnswer) {
                throw new IllegalStateException(
                        address + " does not tell its metrics: " + noAnswer.getMessage(), noAnswer);
            }
        }
        return new Metrics(found);
    }

    /** Whether there is any series of that name. */
    public boolean has(String name) {
        return all.stream().anyMatch(series -> series.name().equals(name));
    }

    /** Of all series of that name, 0 if there is none. */
    public double sum(String name) {
        return sum(name, Map.of());
    }

    /** Of those with these labels. */
    public double sum(String name, Map<String, String> labels) {
        return all.stream()
                .filter(series -> isOf(series, name, labels))
                .mapToDouble(Series::value)
                .sum();
    }

    /** The largest of each value of a label, added up: a size that is the same on all replicas, for each cell once. */
    public double sumOfMaxima(String name, String label) {
        Map<String, Double> maxima = new TreeMap<>();
        for (Series series : all) {
            if (series.name().equals(name)) {
                maxima.merge(series.labels().getOrDefault(label, ""), series.value(), Math::max);
            }
        }
        return maxima.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static boolean isOf(Series series, String name, Map<String, String> labels) {
        return series.name().equals(name) && series.labels().entrySet().containsAll(labels.entrySet());
    }
}
