package io.holdfast.bench.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An embedded cell in one {@code holdfast dev} process, for a first look where replica processes cannot be started. */
public final class HoldfastDev implements Cluster {
    private static final int OTHER_PORTS = 2;
    private static final long START_SECONDS = 120;

    private final ServerProcess server;
    private final int port;
    private final int replicas;

    private HoldfastDev(Setup setup) {
        replicas = setup.servers();
        port = Ports.consecutive(OTHER_PORTS + replicas);
        Path data = setup.directory("dev");
        server = new ServerProcess(
                "dev",
                List.of(
                        setup.root().resolve("holdfast").toString(),
                        "dev",
                        "--data",
                        data.toString(),
                        "--replicas",
                        String.valueOf(replicas),
                        "--port",
                        String.valueOf(port)),
                Map.of("HOLDFAST_SKIP_BUILD", "1"),
                setup.data().resolve("dev.log"));
    }

    /** Returns when it is ready. */
    public static HoldfastDev start(Setup setup) {
        HoldfastDev cluster = new HoldfastDev(setup);
        try {
            cluster.server.start();
            Await.until(
                    "the cell",
                    cluster.servers(),
                    START_SECONDS,
                    () -> cluster.server.printed().contains("ready: "));
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    @Override
    public String description() {
        return "Holdfast, " + replicas + " replicas in ONE process (holdfast dev)";
    }

    @Override
    public String endpoints() {
        return "127.0.0.1:" + port;
    }

    @Override
    public List<ServerProcess> servers() {
        return List.of(server);
    }

    @Override
    public Optional<ServerProcess> leader() {
        return Optional.of(server);
    }

    @Override
    public void close() {
        server.end();
    }
}
