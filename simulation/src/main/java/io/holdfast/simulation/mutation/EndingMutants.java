package io.holdfast.simulation.mutation;

import java.util.List;

/** Mutants of ending from outside: R3.6, R2.5, R4.4 and ADR 0010. */
final class EndingMutants {
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";
    private static final String REPLICA = "replica/src/main/java/io/holdfast/replica/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";

    private EndingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "break-before-letting-go",
                        "R3.6",
                        REPLICA + "EndingDesk.java",
                        "if (endings.begin(ending)) {",
                        "if (endings.begin(ending)) { if (ending instanceof Ending.OfPlace) { endings.letGo(ending,"
                                + " shared.now()); }"),
                Mutant.of(
                        "expire-before-letting-go",
                        "R3.6",
                        REPLICA + "EndingDesk.java",
                        "if (endings.begin(ending)) {",
                        "if (endings.begin(ending)) { if (ending instanceof Ending.OfSession) { endings.letGo(ending,"
                                + " shared.now()); }"),
                Mutant.of(
                        "confirm-what-is-being-ended",
                        "R3.6",
                        REPLICA + "Deadlines.java",
                        "return !endings.isStopped(session) // R3.6: confirmations stop at once",
                        "return true"),
                // ADR 0010, history 1: the session lives on although its client never heard of the break.
                Mutant.of(
                        "break-alone-at-the-lease-end",
                        "R3.6",
                        REPLICA + "Deadlines.java",
                        "ends.add(new Command.ExpireSession(session, term)); // R2.5",
                        "if (endings.endingOf(session) instanceof io.holdfast.model.Ending.OfPlace) { for"
                                + " (io.holdfast.model.Ending ending : endings.waitingFor(session)) {"
                                + " endings.letGo(ending, judgement.asOfNanos()); } sessions.ended(session);"
                                + " sessions.opened(session, 60_000, judgement.asOfNanos()); continue; }"
                                + " ends.add(new Command.ExpireSession(session, term));"),
                // ADR 0010, history 2.
                Mutant.of(
                        "forget-what-was-broken-early",
                        "R3.6",
                        CLIENT + "LockMachine.java",
                        "if (early.takeBroken(placed.place(), placed.token())) {",
                        "if (false) {"),
                Mutant.of(
                        "acknowledge-before-stopping",
                        "R3.6, C24",
                        CLIENT + "LockMachine.java",
                        "stop(hold, reason);\n            endings.ask(ending, List.of(hold));",
                        "stop(hold, reason);\n            endings.acknowledge(ending);"),
                Mutant.of(
                        "held-until-the-place-is-gone",
                        "R3.6",
                        CLIENT + "LockMachine.java",
                        "holds.remove(ending.place());\n            stop(hold, reason);\n            endings.ask(ending, List.of(hold));",
                        "endings.acknowledge(ending);"),
                Mutant.of(
                                "break-ignores-the-token",
                                "R2.5, R4.4",
                                CELL + "LockOperations.java",
                                "|| place.createRevision() != broken.token().value()) { // R2.5: the place, never a later"
                                        + " one",
                                ") {")
                        .and(REPLICA + "EndingDesk.java", "|| stat.createRevision() != token.value()) {", ") {"));
    }
}
