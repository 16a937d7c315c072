package io.holdfast.fencing.jdbc;

import java.util.regex.Pattern;

/** Names of tables and columns that are put into statements: plain ones only, so that no text can become SQL. */
final class SqlName {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private SqlName() {}

    /**
     * A table, with or without a schema before a point.
     *
     * @throws IllegalArgumentException if it is not a plain name
     */
    static String table(String name) {
        if (name != null) {
            int point = name.indexOf('.');
            if (isPlain(name.substring(point + 1)) && (point < 0 || isPlain(name.substring(0, point)))) {
                return name;
            }
        }
        throw refused("table", name);
    }

    /**
     * A column.
     *
     * @throws IllegalArgumentException if it is not a plain name
     */
    static String column(String name) {
        if (name != null && isPlain(name)) {
            return name;
        }
        throw refused("column", name);
    }

    private static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }

    private static IllegalArgumentException refused(String kind, String name) {
        return new IllegalArgumentException("a " + kind
                + "'s name must be letters, digits and underscores, at most 63, not beginning with a digit; it is '"
                + name
                + "'");
    }
}
