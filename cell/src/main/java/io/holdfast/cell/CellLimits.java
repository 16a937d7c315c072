package io.holdfast.cell;

import io.holdfast.model.Limits;

/**
 * Limits of one cell. They decide outcomes, so a leader puts its own into every entry, and all replicas obey that (R2.2).
 *
 * @param stateBytes above this nothing grows any more; releases and deletes still work
 */
public record CellLimits(long stateBytes) {
    public CellLimits {
        if (stateBytes <= 0) {
            throw new IllegalArgumentException("stateBytes must be positive, not " + stateBytes);
        }
    }

    public static CellLimits defaults() {
        return new CellLimits(Limits.DEFAULT_STATE_BYTES);
    }
}
