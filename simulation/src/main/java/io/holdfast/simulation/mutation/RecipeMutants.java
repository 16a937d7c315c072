package io.holdfast.simulation.mutation;

import java.util.List;

/** Mutants of what semaphores, elections and groups rest on. */
final class RecipeMutants {
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";

    private RecipeMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "one-permit-too-many",
                        "R4.2",
                        CELL + "lock/LockQueue.java",
                        "case PERMIT -> lowerPlaces < permits;",
                        "case PERMIT -> lowerPlaces <= permits;"),
                Mutant.of(
                                "each-permit-counts-by-its-own-number",
                                "R4.2, ADR 0011",
                                CELL + "LockOperations.java",
                                "if (queue == null || queue.permits() == acquire.permits()) {",
                                "if (true) {")
                        .and(
                                CELL + "lock/LockTable.java",
                                "Invariants.check(queue.permits() == permits, \"all places of a queue state the same number of"
                                        + " permits\");",
                                ""),
                Mutant.of(
                        "permits-missing-from-snapshot",
                        "R2.2, ADR 0011",
                        CELL + "node/Node.java",
                        "out.number(permits); // ADR 0011",
                        "out.number(permits + 1); // ADR 0011"),
                Mutant.of(
                        "a-leader-in-its-lock-delay-is-shown",
                        "R4.6, R4.7",
                        CELL + "QueryAnswers.java",
                        "return !place.isDelayed() && state.locks()",
                        "return state.locks()"));
    }
}
