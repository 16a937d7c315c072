package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients and a cell on virtual time, with delays, cut streams, lost replies, silence, fail-overs, pauses and clocks that run at
 * different rates; see {@link FaultyWorld} for what is checked after every step.
 */
final class SessionMachinePropertyTest {
    private static final int SEEDS_PER_BATCH = 20;
    private static final int STEPS = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 2_000, 3_000, 4_000})
    void nobodyBelievesTooLongAndEveryCallEndsOnce(long firstSeed) {
        FaultyWorld.Counts counts = new FaultyWorld.Counts();
        for (long seed = firstSeed; seed < firstSeed + SEEDS_PER_BATCH; seed++) {
            try {
                new FaultyWorld(seed, counts).run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(counts.grants).as("grants").isGreaterThan(200);
        assertThat(counts.lost).as("grants and holds lost").isPositive();
        assertThat(counts.jeopardies).as("jeopardies").isPositive();
        assertThat(counts.recoveries).as("jeopardies that ended well").isPositive();
        assertThat(counts.expiries).as("expiries").isPositive();
        assertThat(counts.repeats).as("repeated requests").isPositive();
        assertThat(counts.cancels).as("cancels by id").isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8})
    void aSeedReplaysExactly(long seed) {
        FaultyWorld first = new FaultyWorld(seed, new FaultyWorld.Counts());
        FaultyWorld second = new FaultyWorld(seed, new FaultyWorld.Counts());
        first.run(STEPS);
        second.run(STEPS);
        assertThat(first.trace()).isEqualTo(second.trace());
    }
}
