package io.holdfast.cell.lock;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import org.jspecify.annotations.Nullable;

/** The names of places: the mode's prefix and the token in 20 digits, so that text and numbers sort alike (R4.1, C47). */
public final class PlaceName {
    /** Digits of a sequence number: enough for every positive long. */
    public static final int DIGITS = 20;
    /** UTF-8 bytes that a place's path has more than its lock's. */
    public static final int EXTRA_BYTES = 1 + 2 + DIGITS;

    private PlaceName() {}

    public static String of(LockMode mode, FencingToken token) {
        return mode.prefix() + digits(token.value());
    }

    /** A revision as the suffix of a sequential node. */
    public static String digits(long revision) {
        String number = Long.toString(revision);
        return "0".repeat(DIGITS - number.length()) + number;
    }

    /** The mode of the place that a name belongs to, or null if it is no name of a place. */
    public static @Nullable LockMode modeOf(String name) {
        return modeOf(name, 0, name.length());
    }

    /** The token in a place's name; more digits than fit into a long count as the largest. */
    public static FencingToken tokenOf(String placeName) {
        String digits = placeName.substring(placeName.length() - DIGITS);
        try {
            return new FencingToken(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return new FencingToken(Long.MAX_VALUE);
        }
    }

    /** Whether any segment of a path has the name of a place. */
    public static boolean isIn(NodePath path) {
        String text = path.value();
        int start = 1;
        while (start <= text.length()) {
            int slash = text.indexOf('/', start);
            int end = slash < 0 ? text.length() : slash;
            if (modeOf(text, start, end) != null) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }

    private static @Nullable LockMode modeOf(String text, int from, int to) {
        for (LockMode mode : LockMode.values()) {
            int digitsFrom = from + mode.prefix().length();
            if (to - digitsFrom == DIGITS && text.startsWith(mode.prefix(), from) && isNumber(text, digitsFrom, to)) {
                return mode;
            }
        }
        return null;
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
