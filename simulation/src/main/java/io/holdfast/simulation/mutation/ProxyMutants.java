package io.holdfast.simulation.mutation;

import java.util.List;

/** Mutants of the front end between clients and leader, and of moving away from one that drains (ADR 0004, ADR 0019). */
final class ProxyMutants {
    private static final String CORE = "proxy/src/main/java/io/holdfast/proxy/core/";
    private static final String CLIENT = "client/src/main/java/io/holdfast/client/session/";

    private ProxyMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                                "proxy-repeats-a-frame-on-a-new-link",
                                "R2.7, ADR 0004",
                                CORE + "ClientStream.java",
                                "    private final long number;",
                                "    ClientFrame last; private final long number;")
                        .and(
                                CORE + "FrontEnd.java",
                                "client.forwarded(frame);",
                                "client.forwarded(frame); client.last = frame;")
                        .and(
                                CORE + "FrontEnd.java",
                                "for (WaitingFrames.Waiting next = waiting.poll(); next != null; next = waiting.poll()) {",
                                "for (ClientStream each : streams.values()) { if (each.last != null) {"
                                        + " out.toUpstream(link.number(), new UpstreamFrame.Forward(each.number(),"
                                        + " each.last)); } }\n        for (WaitingFrames.Waiting next = waiting.poll();"
                                        + " next != null; next = waiting.poll()) {"),
                Mutant.of(
                        "proxy-hides-the-end-of-a-link",
                        "R5.2, ADR 0004",
                        CORE + "FrontEnd.java",
                        "out.toClient(client.number(), new ServerFrame.Interrupted(reason, hint));",
                        ""),
                Mutant.of(
                        "proxy-keeps-its-old-link",
                        "R2.4, C38",
                        CORE + "FrontEnd.java",
                        "if (!link.learn(leaderReplica, term)) {",
                        "if (link.exists() || !link.learn(leaderReplica, term)) {"),
                Mutant.of(
                        "moving-forgets-to-attach",
                        "R5.3, ADR 0019",
                        CLIENT + "Conversation.java",
                        "streamLost(\"the other end of the stream drains\", now);",
                        "moving.reset();"));
    }
}
