package io.holdfast.bench.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cell of real {@code holdfast replica} processes, at the default timing. */
public final class HoldfastReplicas implements Cluster {
    private static final int PORTS_EACH = 3;
    private static final long START_SECONDS = 120;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final int firstPort;

    private HoldfastReplicas(int firstPort) {
        this.firstPort = firstPort;
    }

    /** Returns when a leader is known. */
    public static HoldfastReplicas start(Setup setup) {
        HoldfastReplicas cluster = new HoldfastReplicas(Ports.consecutive(setup.servers() * PORTS_EACH));
        try {
            for (int i = 0; i < setup.servers(); i++) {
                cluster.add(setup, i);
            }
            cluster.servers.forEach(ServerProcess::start);
            Await.until(
                    "a leader of Holdfast",
                    cluster.servers,
                    START_SECONDS,
                    () -> cluster.areAllServing() && cluster.leader().isPresent());
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    private void add(Setup setup, int index) {
        String name = "r" + (index + 1);
        Path data = setup.directory(name);
        Path config = setup.data().resolve(name + ".yaml");
        String members = IntStream.range(0, setup.servers())
                .mapToObj(i -> "r" + (i + 1) + ": 127.0.0.1:" + peerPort(i))
                .collect(Collectors.joining(", ", "{", "}"));
        Setup.write(config, """
                cell: bench
                replica: %s
                dataDir: %s
                listen: {client: "127.0.0.1:%d", http: "127.0.0.1:%d", peer: "127.0.0.1:%d"}
                members: %s
                """.formatted(name, data, clientPort(index), httpPort(index), peerPort(index), members));
        servers.add(new ServerProcess(
                name,
                List.of(setup.root().resolve("holdfast").toString(), "replica", "--config", config.toString()),
                Map.of("HOLDFAST_SKIP_BUILD", "1"),
                setup.data().resolve(name + ".log")));
    }

    private int clientPort(int index) {
        return firstPort + index * PORTS_EACH;
    }

    private int httpPort(int index) {
        return clientPort(index) + 1;
    }

    private int peerPort(int index) {
        return clientPort(index) + 2;
    }

    /** Index up to which a server has applied the log; 0 while it does not answer. */
    public long appliedIndex(ServerProcess server) throws InterruptedException {
        int index = servers.indexOf(server);
        try {
            String json = Http.get("http://127.0.0.1:" + httpPort(index) + "/v1/cell");
            return Http.numberBehind(
                    json, "\"replica\"\\s*:\\s*\"" + server.name() + "\"[^}]*\"appliedIndex\"\\s*:\\s*");
        } catch (IOException notNow) {
            return 0;
        }
    }

    /** The term in which somebody leads; 0 if nobody answers. It rises with every change of the leader. */
    public long term() throws InterruptedException {
        for (int i = 0; i < servers.size(); i++) {
            try {
                String json = Http.get("http://127.0.0.1:" + httpPort(i) + "/v1/cell");
                return Http.numberBehind(json, "\"term\"\\s*:\\s*");
            } catch (IOException notNow) {
                // the next may know
            }
        }
        return 0;
    }

    /** {@code host:port} of each server's HTTP port. */
    public List<String> httpAddresses() {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> "127.0.0.1:" + httpPort(i))
                .toList();
    }

    /** What all of them count. */
    public Metrics metrics() throws InterruptedException {
        return Metrics.of(httpAddresses());
    }

    /** Where a server keeps its write-ahead log. */
    public Path logDirectory(ServerProcess server) {
        return server.log().resolveSibling(server.name()).resolve("log");
    }

    private boolean areAllServing() {
        return servers.stream().allMatch(server -> server.printed().contains("ready: "));
    }

    @Override
    public String description() {
        return "Holdfast, " + servers.size() + " replica processes";
    }

    @Override
    public String endpoints() {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> "127.0.0.1:" + clientPort(i))
                .collect(Collectors.joining(","));
    }

    @Override
    public List<ServerProcess> servers() {
        return servers;
    }

    @Override
    public Optional<ServerProcess> leader() throws InterruptedException {
        for (int i = 0; i < servers.size(); i++) {
            if (!servers.get(i).isAlive()) {
                continue;
            }
            try {
                String leader = Http.stringOf(Http.get("http://127.0.0.1:" + httpPort(i) + "/v1/cell"), "leader");
                if (!leader.isEmpty()) {
                    return servers.stream()
                            .filter(server -> server.name().equals(leader))
                            .findFirst();
                }
            } catch (IOException notNow) {
                // the next may know
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        servers.forEach(server -> server.signal("TERM"));
        servers.forEach(ServerProcess::end);
    }
}
