package io.holdfast.chaos.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration file of a replica that is where a {@link Topology} says. <b>Thread:</b> any. */
public final class ReplicaConfigFile {
    private ReplicaConfigFile() {}

    /** @param more lines of the file, for example {@code raft: {snapshotEntries: 1000}} */
    public static void write(Path file, Topology topology, String replica, Path data, String... more)
            throws IOException {
        String members = topology.replicaNames().stream()
                .map(member -> member + ": \"" + topology.peerAddress(member) + "\"")
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>(List.of(
                "cell: main",
                "replica: " + replica,
                "dataDir: " + data,
                "listen: {client: \"" + topology.clientAddress(replica) + "\", http: \"" + topology.httpAddress(replica)
                        + "\", peer: \"" + topology.peerAddress(replica) + "\"}",
                "members: {" + members + "}"));
        lines.addAll(List.of(more));
        Files.write(file, lines);
    }
}
