package io.holdfast.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble with its shipped defaults: fsync before acknowledging, 2 s ticks, heap as its own script sets it. */
public final class ZooKeeperServers implements Cluster {
    private static final int PORTS_EACH = 3;
    private static final long START_SECONDS = 120;
    private static final int SOCKET_MILLIS = 1_000;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final int firstPort;

    private ZooKeeperServers(int firstPort) {
        this.firstPort = firstPort;
    }

    /** Returns when there is a leader and all others follow. */
    public static ZooKeeperServers start(Setup setup) {
        ZooKeeperServers cluster = new ZooKeeperServers(Ports.consecutive(setup.servers() * PORTS_EACH));
        try {
            for (int i = 0; i < setup.servers(); i++) {
                cluster.add(setup, i);
            }
            cluster.servers.forEach(ServerProcess::start);
            Await.until("ZooKeeper's quorum", cluster.servers, START_SECONDS, cluster::areAllServing);
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    private void add(Setup setup, int index) {
        String name = "zk" + (index + 1);
        Path data = setup.directory(name);
        Setup.write(data.resolve("myid"), (index + 1) + "\n");
        StringBuilder text = new StringBuilder("""
                tickTime=2000
                initLimit=10
                syncLimit=5
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                admin.enableServer=false
                maxClientCnxns=0
                4lw.commands.whitelist=srvr
                """.formatted(data, clientPort(index)));
        for (int i = 0; setup.servers() > 1 && i < setup.servers(); i++) {
            text.append("server.%d=127.0.0.1:%d:%d%n".formatted(i + 1, clientPort(i) + 1, clientPort(i) + 2));
        }
        Path config = setup.data().resolve(name + ".cfg");
        Setup.write(config, text.toString());
        servers.add(new ServerProcess(
                name,
                List.of(
                        Setup.java(),
                        "-Xmx1000m",
                        "-cp",
                        setup.peersClassPath(),
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        config.toString()),
                Map.of(),
                setup.data().resolve(name + ".log")));
    }

    private int clientPort(int index) {
        return firstPort + index * PORTS_EACH;
    }

    private boolean areAllServing() throws IOException {
        int leaders = 0;
        for (int i = 0; i < servers.size(); i++) {
            String mode = mode(i);
            if (mode.isEmpty()) {
                return false;
            }
            leaders += isLeading(mode) ? 1 : 0;
        }
        return leaders == 1;
    }

    private static boolean isLeading(String mode) {
        return mode.equals("leader") || mode.equals("standalone");
    }

    /** What a server says it is; empty while it does not serve. */
    private String mode(int index) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort(index)), SOCKET_MILLIS);
            socket.setSoTimeout(SOCKET_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("");
        }
    }

    @Override
    public String description() {
        return "ZooKeeper 3.9.5 + Curator 5.9.0, " + servers.size() + " server processes";
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
    public Optional<ServerProcess> leader() {
        for (int i = 0; i < servers.size(); i++) {
            try {
                if (servers.get(i).isAlive() && isLeading(mode(i))) {
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
