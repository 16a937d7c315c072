package io.holdfast.simulation.mutation;

import java.util.List;

/** How the rules about watches and batches are broken (R5.1–R5.4, ADR 0009). */
final class WatchMutants {
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";
    private static final String REPLICA = "replica/src/main/java/io/holdfast/replica/";
    private static final String CORE = "proxy/src/main/java/io/holdfast/proxy/core/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";

    private WatchMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                                "event-after-reply",
                                "R5.2",
                                REPLICA + "EntryReplies.java",
                                "        watches.applied(applied);\n",
                                "")
                        .and(
                                REPLICA + "EntryReplies.java",
                                "ended.forEach(this::tellEnd);",
                                "watches.applied(applied);\n        ended.forEach(this::tellEnd);"),
                Mutant.of(
                        "failed-write-fires",
                        "R5.4, C56",
                        CELL + "NodeOperations.java",
                        "if (present != null && exists) {",
                        "if (present != null && exists) { if (present.version() != expected) { state.tell(new"
                                + " CellEvent.NodeChanged(path, present.kind(), present.modifyRevision(),"
                                + " io.holdfast.cell.node.NodeChange.CHANGED)); }"),
                Mutant.of(
                        "refused-batch-fires",
                        "R5.4, C56",
                        CELL + "CellState.java",
                        "events.subList(mark.events(), events.size()).clear();",
                        ""),
                Mutant.of(
                        "refused-batch-leaves-its-first-items",
                        "ADR 0009",
                        CELL + "BatchOperations.java",
                        "state.rollBackTo(before); // all or nothing",
                        ""),
                Mutant.of(
                        "made-again-while-away-is-not-newer",
                        "R5.3, C40",
                        CELL + "ChangedSince.java",
                        "return node.is(NodeKind.PERSISTENT) ? node.modifyRevision() : node.createRevision();",
                        "return node.modifyRevision() > node.createRevision() ? node.modifyRevision() : 0;"),
                Mutant.of(
                        "gone-while-away-is-not-newer",
                        "R5.3",
                        CELL + "ChangedSince.java",
                        "return newestChild(tree.nearestAncestor(path)); // R5.3: on an absent path",
                        "return 0;"),
                Mutant.of(
                        "claims-do-not-fire-at-once",
                        "R5.3, C49",
                        CORE + "SharedWatches.java",
                        "if (claim.seenRevision() < newest) { // R5.3",
                        "if (false) {"),
                Mutant.of(
                        "silence-proves-that-nothing-happened",
                        "R5.3, C49",
                        CLIENT + "Watches.java",
                        "            if (watch.isArmed()) {",
                        "            if (false) {"),
                Mutant.of(
                                "registered-after-the-read",
                                "R5.1",
                                REPLICA + "Watches.java",
                                "table.add(link, read.watch(), new WatchTable.Target(watched.watchKind(),"
                                        + " watched.path()));",
                                "late.add(() -> { if (streams.knowsLink(link) && table.hasRoomFor(link, 1)) { table.add(link,"
                                        + " read.watch(), new WatchTable.Target(watched.watchKind(), watched.path()));"
                                        + " } });")
                        .and(
                                REPLICA + "Watches.java",
                                "    private final WatchTable<Long> table = new WatchTable<>();",
                                "    private final WatchTable<Long> table = new WatchTable<>();\n    private final"
                                        + " List<Runnable> late = new ArrayList<>();")
                        .and(REPLICA + "Watches.java", "if (table.size() == 0) {", "if (false) {")
                        .and(
                                REPLICA + "Watches.java",
                                "fired.forEach(this::tell);",
                                "fired.forEach(this::tell); late.forEach(Runnable::run); late.clear();"),
                Mutant.of(
                        "replies-do-not-wait-for-claims",
                        "R5.2, R5.3",
                        CLIENT + "Conversation.java",
                        "if (watches.mustClaimFirst()) {",
                        "if (false) {"),
                Mutant.of(
                        "what-is-withdrawn-stays",
                        "ADR 0009",
                        CLIENT + "Watches.java",
                        "boolean leaderMayHave = watch.step != Watch.Step.LAPSED && watch.step != Watch.Step.OVER;",
                        "boolean leaderMayHave = false;"),
                Mutant.of(
                        "watches-outlive-their-stream",
                        "R2.4, R5.3: that of their front end",
                        REPLICA + "LeaderService.java",
                        "watches.linkGone(link);",
                        ""));
    }
}
