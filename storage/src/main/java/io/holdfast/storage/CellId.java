package io.holdfast.storage;

import java.util.regex.Pattern;

/**
 * Names a cell within a deployment, for example {@code main} or {@code shard-07}: 1 to 64 letters, digits, dots, dashes
 * or underscores.
 */
public record CellId(String value) implements Comparable<CellId> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public CellId {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "cell name '" + value + "': use 1 to 64 letters, digits, dots, dashes or underscores");
        }
    }

    @Override
    public int compareTo(CellId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
