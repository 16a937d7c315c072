package io.holdfast.simulation.run;

import io.holdfast.simulation.world.Coverage;
import org.jspecify.annotations.Nullable;

/**
 * What came of one seed.
 *
 * @param violation what was broken, or null if the seed is green
 * @param virtualNanos how much time passed in its world
 * @param traceHash equal for two runs of the same seed
 * @param undecided histories that were too tangled to check
 */
public record SeedResult(
        long seed,
        @Nullable RuntimeException violation,
        long virtualNanos,
        long events,
        long traceHash,
        long entries,
        long undecided,
        Coverage coverage) {

    public boolean isGreen() {
        return violation == null;
    }
}
