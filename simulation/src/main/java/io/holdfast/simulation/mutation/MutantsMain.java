package io.holdfast.simulation.mutation;

import java.io.IOException;

/** Runs the mutants whose names contain the given words, or all; prints the table. */
public final class MutantsMain {
    private static final long DEFAULT_SEEDS = 200;

    private MutantsMain() {}

    public static void main(String[] words) throws IOException {
        long seeds = Long.getLong("holdfast.mutants.seeds", DEFAULT_SEEDS);
        int living = 0;
        for (Mutant mutant : Mutants.all()) {
            if (words.length > 0 && !matches(mutant, words)) {
                continue;
            }
            MutationRun.Verdict verdict = MutationRun.run(mutant, 1, seeds);
            System.out.println(verdict);
            living += verdict.isCaught() ? 0 : 1;
        }
        System.exit(living == 0 ? 0 : 1);
    }

    private static boolean matches(Mutant mutant, String[] words) {
        for (String word : words) {
            if (mutant.name().contains(word)) {
                return true;
            }
        }
        return false;
    }
}
