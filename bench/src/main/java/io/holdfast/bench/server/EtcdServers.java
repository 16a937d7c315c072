package io.holdfast.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An etcd cluster of the binary on the path, with its defaults. */
public final class EtcdServers implements Cluster {
    private static final int PORTS_EACH = 2;
    private static final long START_SECONDS = 120;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final int firstPort;

    private EtcdServers(int firstPort) {
        this.firstPort = firstPort;
    }

    /** Where the binary is, if it is installed. */
    public static Optional<Path> binary() {
        String path = System.getenv("PATH");
        return Arrays.stream((path == null ? "" : path).split(":", -1))
                .map(directory -> Path.of(directory, "etcd"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns when a leader is known. */
    public static EtcdServers start(Setup setup) {
        EtcdServers cluster = new EtcdServers(Ports.consecutive(setup.servers() * PORTS_EACH));
        try {
            for (int i = 0; i < setup.servers(); i++) {
                cluster.add(setup, i);
            }
            cluster.servers.forEach(ServerProcess::start);
            Await.until(
                    "a leader of etcd",
                    cluster.servers,
                    START_SECONDS,
                    () -> cluster.leader().isPresent());
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    private void add(Setup setup, int index) {
        String name = "e" + (index + 1);
        String client = "http://127.0.0.1:" + clientPort(index);
        String peer = "http://127.0.0.1:" + (clientPort(index) + 1);
        String members = IntStream.range(0, setup.servers())
                .mapToObj(i -> "e" + (i + 1) + "=http://127.0.0.1:" + (clientPort(i) + 1))
                .collect(Collectors.joining(","));
        Path binary = binary().orElseThrow();
        servers.add(new ServerProcess(
                name,
                List.of(
                        binary.toString(),
                        "--name=" + name,
                        "--data-dir=" + setup.directory(name),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=" + members,
                        "--initial-cluster-state=new",
                        "--logger=zap",
                        "--log-level=warn"),
                Map.of(),
                setup.data().resolve(name + ".log")));
    }

    private int clientPort(int index) {
        return firstPort + index * PORTS_EACH;
    }

    @Override
    public String description() {
        return "etcd + jetcd 0.8.5, " + servers.size() + " server processes";
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
                String status = Http.post("http://127.0.0.1:" + clientPort(i) + "/v3/maintenance/status", "{}");
                String leader = Http.stringOf(status, "leader");
                if (!leader.isEmpty() && leader.equals(Http.stringOf(status, "member_id"))) {
                    return Optional.of(servers.get(i));
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
