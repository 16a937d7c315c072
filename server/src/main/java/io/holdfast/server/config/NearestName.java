package io.holdfast.server.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody probably meant. */
final class NearestName {
    private static final int MAX_DISTANCE = 4;

    private NearestName() {}

    /** The candidate with the fewest single-letter edits, if it is near enough to be worth naming. */
    static Optional<String> to(String name, Collection<String> candidates) {
        String wanted = name.toLowerCase(Locale.ROOT);
        String best = "";
        int bestDistance = Math.min(MAX_DISTANCE, Math.max(1, name.length() / 2)) + 1;
        for (String candidate : candidates) {
            String lower = candidate.toLowerCase(Locale.ROOT);
            int distance = Math.min(distance(wanted, lower), distance(wanted, lastPart(lower)) + 1);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    private static String lastPart(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
