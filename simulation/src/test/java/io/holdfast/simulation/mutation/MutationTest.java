package io.holdfast.simulation.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The checks bite. A build runs the mutants that few seeds find; {@code simulation/mutants} runs all of them and states how
 * many seeds each takes.
 */
class MutationTest {
    /** Most take one to three seeds; none of these should ever need so many. */
    private static final int MAX_SEEDS = 80;

    private static final Set<String> QUICK = Set.of(
            "acknowledge-before-fsync",
            "vote-before-fsync",
            "commit-without-majority",
            "no-full-lease-at-takeover",
            "held-in-jeopardy",
            "shared-blocked-by-any-lower-place",
            "exclusive-ignores-shared");

    @Test
    void everyPatchFitsTheSourcesExactlyOnce() throws IOException {
        Set<String> names = new HashSet<>();
        for (Mutant mutant : Mutants.all()) {
            assertThat(SourcePatcher.here().patched(mutant)).isNotEmpty();
            assertThat(names.add(mutant.name())).as("mutant name used once").isTrue();
        }
    }

    @Test
    void quickMutantsAreCaught() throws IOException {
        List<Mutant> quick = Mutants.all().stream()
                .filter(mutant -> QUICK.contains(mutant.name()))
                .toList();
        assertThat(quick).hasSize(QUICK.size());
        for (Mutant mutant : quick) {
            MutationRun.Verdict verdict = MutationRun.run(mutant, 1, MAX_SEEDS);
            assertThat(verdict.isCaught()).as(verdict.toString()).isTrue();
        }
    }
}
