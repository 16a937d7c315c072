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
                                "new ServerFrame.KeepAliveAck(line.sendNumber(), renewed[i], answer.epoch())",
                                "new ServerFrame.KeepAliveAck(newest.getOrDefault(line.client().number(), 0L), renewed[i],"
                                        + " answer.epoch())")
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
                        "boolean tooOld = false;"));
    }
}
