package io.holdfast.bench.server;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The running servers of one lock service.
 *
 * <p><b>Thread:</b> one.
 */
public interface Cluster extends AutoCloseable {
    /** What was started, for the table's head: product, version, number of processes, settings that matter. */
    String description();

    /** Client addresses, {@code host:port} separated by commas. */
    String endpoints();

    List<ServerProcess> servers();

    /** The server that leads, if the servers can tell. */
    Optional<ServerProcess> leader() throws IOException, InterruptedException;

    /** Ends all servers and waits for that. */
    @Override
    void close();

    /** Process ids of the servers that run, separated by commas. */
    default String pids() {
        return String.join(
                ",",
                servers().stream()
                        .filter(ServerProcess::isAlive)
                        .map(server -> String.valueOf(server.pid()))
                        .toList());
    }
}
