package io.holdfast.simulation.mutation;

import java.util.List;

/** How what a front end does for many clients is broken (R3.5, ADR 0020). */
final class FrontEndMutants {
    private static final String CORE = "proxy/src/main/java/io/holdfast/proxy/core/";

    private FrontEndMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "keepalive-confirmed-by-the-front-end",
                        "R3.5",
                        CORE + "FrontEnd.java",
                        "keepAlives.heard(client, session, keepAlive, now);",
                        "keepAlives.heard(client, session, keepAlive, now); out.toClient(stream, new"
                                + " ServerFrame.KeepAliveAck(keepAlive.sendNumber(), true, 1));"),
                Mutant.of(
                        "batch-lists-a-frozen-client",
                        "R3.5",
                        CORE + "KeepAliveBatches.java",
                        "each.remove(); // R3.5: only who is heard from again is listed again",
                        ""),
                Mutant.of(
                                "answer-confirms-what-came-after-the-batch",
                                "R3.5",
                                CORE + "KeepAliveBatches.java",
                                "new ServerFrame.KeepAliveAck(line.sendNumber(), renewed[i], answer.epoch(), cached[i])",
                                "new ServerFrame.KeepAliveAck(newest.getOrDefault(line.client().number(), 0L), renewed[i],"
                                        + " answer.epoch(), cached[i])")
                        .and(
                                CORE + "KeepAliveBatches.java",
                                "    private long lastNumber;",
                                "    private long lastNumber; private final Map<Long, Long> newest = new TreeMap<>();")
                        .and(
                                CORE + "KeepAliveBatches.java",
                                "        waiting.put(client.number(),",
                                "        newest.put(client.number(), keepAlive.sendNumber());"
                                        + " waiting.put(client.number(),"),
                Mutant.of(
                        "old-keepalives-are-kept",
                        "R3.5",
                        CORE + "KeepAliveBatches.java",
                        "boolean tooOld = now - next.arrivedNanos() > MAX_AGE_NANOS;",
                        "boolean tooOld = false;"),
                Mutant.of(
                                "front-end-tells-the-event-after-the-reply",
                                "R5.2",
                                CORE + "FrontEnd.java",
                                "            watches.fired(fired);",
                                "            late.add(fired);")
                        .and(
                                CORE + "FrontEnd.java",
                                "    private final SharedWatches watches;",
                                "    private final SharedWatches watches; private final List<DownstreamFrame.WatchesFired>"
                                        + " late = new java.util.ArrayList<>();")
                        .and(
                                CORE + "FrontEnd.java",
                                "                watches.delivered(client, deliver.frame());",
                                "                watches.delivered(client, deliver.frame()); late.forEach(watches::fired);"
                                        + " late.clear();"),
                Mutant.of(
                                "front-end-claims-for-who-has-seen-most",
                                "R5.3",
                                CORE + "SharedWatches.java",
                                "if (claim.seenRevision() < newest) { // R5.3",
                                "if (shared.highest < newest) {")
                        .and(
                                CORE + "SharedWatches.java",
                                "        boolean leaderMayHave;",
                                "        boolean leaderMayHave; long highest;")
                        .and(
                                CORE + "SharedWatches.java",
                                "claims.add(shared.number, shared.target, page, claim);",
                                "shared.highest = Math.max(shared.highest, claim.seenRevision());"
                                        + " claims.add(shared.number, shared.target, page, claim);"),
                Mutant.of(
                        "shared-watch-goes-with-the-first-who-leaves",
                        "R5.1, ADR 0020",
                        CORE + "SharedWatches.java",
                        "if (shared.asked > 0 || !shared.members.isEmpty() || byNumber",
                        "if (shared.asked > 0 || byNumber"),
                // ADR 0020: whoever joins a watch that stands must have it armed by an answer of his own.
                Mutant.of(
                        "armed-before-its-own-answer",
                        "R5.1, ADR 0020",
                        CORE + "SharedWatches.java",
                        "return new ClientFrame.Read(read.callId(), read.query(), shared.number);",
                        "return new ClientFrame.Read(read.callId(), read.query(), shared.leaderMayHave ? 0 :"
                                + " shared.number);"),
                Mutant.of(
                        "watches-outlive-their-client",
                        "R3.2, ADR 0020",
                        CORE + "FrontEnd.java",
                        "watches.closed(client); // after that: the leader registers nothing more for it",
                        ""));
    }
}
