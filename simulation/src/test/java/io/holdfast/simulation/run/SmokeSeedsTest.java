package io.holdfast.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Seen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A few seeds with every build: all green, each the same when run twice, and together they reach every fault and rule.
 * Thousands of seeds are run by {@code simulation/run}.
 */
class SmokeSeedsTest {
    private static final int SEEDS = 40;
    private static final int SHARD_SEEDS = 10;
    private static final int MAX_SHARDS = 5;
    /** Rare by nature; thousands of seeds reach them, a smoke test need not. */
    private static final Set<Seen> RARE =
            EnumSet.of(Seen.EXPIRY_IGNORED, Seen.CRASH_ZEROED_SECTOR, Seen.PROXY_ENDED_WITH_CLIENTS);

    @Test
    void seedsAreGreenReplayExactlyAndReachEverything() {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SeedResult first = run(seed);
            coverage.add(first.coverage());
            assertThat(run(seed).traceHash()).as("trace of seed %d", seed).isEqualTo(first.traceHash());
        }
        assertThat(Arrays.stream(Seen.values())
                        .filter(seen -> coverage.count(seen) == 0 && !RARE.contains(seen) && !seen.isOfShards()))
                .as("faults and rules that no smoke seed reached")
                .isEmpty();
    }

    /** Several cells in one process, one log and one front end: all that is promised of a cell holds for each. */
    @Test
    void seedsWithShardsAreGreenReplayExactlyAndReachEverything() {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= SHARD_SEEDS; seed++) {
            int shards = 1 + (int) (seed % MAX_SHARDS);
            SeedResult first = run(seed, shards);
            coverage.add(first.coverage());
            if (seed <= 3) {
                assertThat(run(seed, shards).traceHash())
                        .as("trace of seed %d", seed)
                        .isEqualTo(first.traceHash());
            }
        }
        assertThat(Arrays.stream(Seen.values()).filter(seen -> coverage.count(seen) == 0 && seen.isOfShards()))
                .as("what no smoke seed with shards reached")
                .isEmpty();
    }

    @Test
    void seedsThatFailedOnceStayGreen() throws IOException {
        for (long seed : keptSeeds()) {
            run(seed);
        }
    }

    private static SeedResult run(long seed) {
        return run(seed, 0);
    }

    private static SeedResult run(long seed, int shards) {
        SeedResult result = SeedRun.run(seed, 0, 0, -1, shards, null);
        assertThat(result.violation())
                .as("seed %d; replay with: simulation/run --seed %d --shards %d --trace", seed, seed, shards)
                .isNull();
        return result;
    }

    private static List<Long> keptSeeds() throws IOException {
        List<Long> seeds = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(SmokeSeedsTest.class.getResourceAsStream("/seeds.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    seeds.add(Long.parseLong(line.substring(0, line.indexOf(' '))));
                }
            }
        }
        return seeds;
    }
}
