package io.holdfast.simulation.mutation;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Runs seeds against a mutant until one fails. */
public final class MutationRun {
    private MutationRun() {}

    /**
     * What came of a mutant.
     *
     * @param seeds how many were run, the failing one included
     * @param violation first line of what was found, or null if the mutant lives
     */
    public record Verdict(
            Mutant mutant, long seeds, @Nullable String violation) {
        public boolean isCaught() {
            return violation != null;
        }

        @Override
        public String toString() {
            String text = violation == null ? "" : violation.lines().findFirst().orElse("");
            return String.format(
                    "%-36s %-10s %s %4d seeds  %s",
                    mutant.name(),
                    mutant.rule().length() > 10 ? mutant.rule().substring(0, 10) : mutant.rule(),
                    isCaught() ? "caught" : "LIVES ",
                    seeds,
                    text.length() > 160 ? text.substring(0, 160) : text);
        }
    }

    /** Tries at most {@code maxSeeds} seeds from {@code fromSeed} on. */
    public static Verdict run(Mutant mutant, long fromSeed, long maxSeeds) throws IOException {
        MutantLoader loader = MutantLoader.of(SourcePatcher.here().patched(mutant));
        try {
            Method run = loader.loadClass("io.holdfast.simulation.run.SeedRun").getMethod("violationOf", long.class);
            for (long i = 0; i < maxSeeds; i++) {
                Object violation = run.invoke(null, fromSeed + i);
                if (violation != null) {
                    return new Verdict(mutant, i + 1, violation.toString());
                }
            }
            return new Verdict(mutant, maxSeeds, null);
        } catch (InvocationTargetException broken) {
            return new Verdict(mutant, maxSeeds, "the run itself failed: " + broken.getCause());
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("the mutant's classes do not load", missing);
        }
    }
}
