package io.holdfast.simulation.mutation;

import java.util.List;

/** How the rules of the consistent cache are broken (R6.1–R6.6, ADR 0014). */
final class CacheMutants {
    private static final String CELL = "cell/src/main/java/io/holdfast/cell/";
    private static final String REPLICA = "replica/src/main/java/io/holdfast/replica/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";

    private static final String NOT_EMPTIED_IN_JEOPARDY = "cache.empty(); // R6.5";

    private CacheMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "mark-lifted-at-propose",
                        "R6.3",
                        REPLICA + "WriteGate.java",
                        "return marks.containsKey(path);",
                        "return waiting.stream().anyMatch(write -> write.paths.contains(path));"),
                Mutant.of(
                        "propose-before-all-have-let-go",
                        "R6.3",
                        REPLICA + "WriteGate.java",
                        "write.paths.stream().noneMatch(caches.table()::isAwaited)",
                        "true"),
                Mutant.of(
                                "cacher-registered-after-the-reply",
                                "R6.2",
                                REPLICA + "CacheDesk.java",
                                "|| !table.register(session, path)) {",
                                "|| !late.add(() -> table.register(session, path))) {")
                        .and(
                                REPLICA + "CacheDesk.java",
                                "    private final CacheTable table = new CacheTable();",
                                "    private final CacheTable table = new CacheTable();\n    private final"
                                        + " List<Runnable> late = new ArrayList<>();")
                        .and(
                                REPLICA + "CacheDesk.java",
                                "    boolean renew(SessionId session) {",
                                "    boolean renew(SessionId session) { late.forEach(Runnable::run); late.clear();"),
                Mutant.of(
                        "closed-connection-is-an-acknowledgement",
                        "R6.4",
                        REPLICA + "LeaderService.java",
                        "            streams.streamClosed(link, closed.stream());",
                        "            ClientStream gone = streams.known(link, closed.stream()); if (gone != null &&"
                                + " gone.session() != null) { caches.table().attached(gone.session()); }"
                                + " streams.streamClosed(link, closed.stream());"),
                Mutant.of(
                                "cache-emptied-after-attaching",
                                "R6.4",
                                CLIENT + "Conversation.java",
                                "cache.unbound(); // R6.4: before another stream is asked for",
                                "")
                        .and(
                                CLIENT + "Conversation.java",
                                "cache.unbound(); // R6.4: before the session is bound again",
                                "")
                        .and(CLIENT + "ValueCache.java", "bound = true;", "empty(); bound = true;"),
                Mutant.of(
                                "what-an-old-epoch-gave-is-kept",
                                "R6.2, R6.6",
                                CLIENT + "Conversation.java",
                                "cache.unbound(); // R6.4: before the session is bound again",
                                "")
                        .and(
                                CLIENT + "ValueCache.java",
                                "bound && fill.attachment() == attachment && fill.epoch() == epoch;",
                                "true;"),
                Mutant.of(
                                "cache-lease-outlives-the-session's",
                                "R6.2",
                                CLIENT + "FrameHandler.java",
                                "cache.extendTo(lease.confirmedUntil(), ack.epoch());",
                                "cache.extendTo(now + lease.leaseMillis() * 1_200_000L, ack.epoch());")
                        .and(CLIENT + "ValueCache.java", "now < leaseEndsAt && trust.safeAt(now)", "now < leaseEndsAt")
                        .and(CLIENT + "SessionMachine.java", "&& state == SessionState.SAFE\n", "\n")
                        .and(CLIENT + "SessionMachine.java", NOT_EMPTIED_IN_JEOPARDY, ""),
                Mutant.of(
                                "cache-used-in-jeopardy",
                                "R6.5",
                                CLIENT + "ValueCache.java",
                                "return bound && now < leaseEndsAt && trust.safeAt(now);",
                                "return bound && leaseEndsAt > Long.MIN_VALUE;")
                        .and(CLIENT + "SessionMachine.java", "&& state == SessionState.SAFE\n", "\n")
                        .and(CLIENT + "SessionMachine.java", NOT_EMPTIED_IN_JEOPARDY, ""),
                Mutant.of(
                        "writes-do-not-wait-after-a-fail-over",
                        "R6.6",
                        CELL + "leader/CacheTable.java",
                        "return earlier.areAwaited();",
                        "return false;"));
    }
}
