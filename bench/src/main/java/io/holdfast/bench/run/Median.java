package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.util.List;

/** The middle one of several rounds, figure by figure. */
final class Median {
    private Median() {}

    /** NaN if there is no round; the mean of the middle two of an even number. */
    static double of(List<Fields> rounds, String key) {
        double[] sorted = rounds.stream()
                .mapToDouble(round -> round.decimal(key))
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
