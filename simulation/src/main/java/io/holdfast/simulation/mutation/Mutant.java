package io.holdfast.simulation.mutation;

import java.util.List;

/**
 * A rule, and how its code is broken.
 *
 * @param name short, for the report
 * @param rule the rule or promise that no longer holds
 * @param patches all of them together make the mutant
 */
public record Mutant(String name, String rule, List<Patch> patches) {
    /**
     * One change of a source file.
     *
     * @param file below the root of the repository
     * @param from text that occurs exactly once in it
     * @param to what it becomes
     */
    public record Patch(String file, String from, String to) {}

    static Mutant of(String name, String rule, String file, String from, String to) {
        return new Mutant(name, rule, List.of(new Patch(file, from, to)));
    }

    /** The same with one more change. */
    Mutant and(String file, String from, String to) {
        List<Patch> more = new java.util.ArrayList<>(patches);
        more.add(new Patch(file, from, to));
        return new Mutant(name, rule, List.copyOf(more));
    }
}
