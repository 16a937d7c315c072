package io.holdfast.bench.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code holdfast proxy} processes in front of a cell. <b>Thread:</b> one. */
public final class HoldfastProxies implements AutoCloseable {
    private static final int PORTS_EACH = 2;
    private static final long START_SECONDS = 60;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final int firstPort;

    private HoldfastProxies(int firstPort) {
        this.firstPort = firstPort;
    }

    /**
     * Returns when all of them are ready.
     *
     * @param count may be 0
     * @param upstream client addresses of the replicas, separated by commas
     * @throws IllegalStateException with the end of a log if one does not start
     */
    public static HoldfastProxies start(Setup setup, int count, String upstream) {
        HoldfastProxies proxies = new HoldfastProxies(count == 0 ? 0 : Ports.consecutive(count * PORTS_EACH));
        try {
            for (int i = 0; i < count; i++) {
                proxies.add(setup, i, upstream);
            }
            proxies.servers.forEach(ServerProcess::start);
            if (count > 0) {
                Await.until(
                        "proxies (if this version has no 'holdfast proxy', use --proxies 0)",
                        proxies.servers,
                        START_SECONDS,
                        () -> proxies.servers.stream()
                                .allMatch(server -> server.printed().contains("ready: ")));
            }
            return proxies;
        } catch (RuntimeException failed) {
            proxies.close();
            throw failed;
        }
    }

    private void add(Setup setup, int index, String upstream) {
        String name = "p" + (index + 1);
        Path config = setup.data().resolve(name + ".yaml");
        Setup.write(config, """
                listen: {client: "%s", http: "%s"}
                upstream: ["%s"]
                """.formatted(address(index), httpAddress(index), upstream.replace(",", "\", \"")));
        servers.add(new ServerProcess(
                name,
                List.of(setup.root().resolve("holdfast").toString(), "proxy", "--config", config.toString()),
                Map.of("HOLDFAST_SKIP_BUILD", "1"),
                setup.data().resolve(name + ".log")));
    }

    /** Its client port. */
    public String address(int index) {
        return "127.0.0.1:" + (firstPort + index * PORTS_EACH);
    }

    private String httpAddress(int index) {
        return "127.0.0.1:" + (firstPort + index * PORTS_EACH + 1);
    }

    public List<ServerProcess> servers() {
        return servers;
    }

    /** Client addresses, separated by commas. */
    public String endpoints() {
        return IntStream.range(0, servers.size()).mapToObj(this::address).collect(Collectors.joining(","));
    }

    /** HTTP addresses of those that run. */
    public List<String> httpAddresses() {
        return IntStream.range(0, servers.size())
                .filter(i -> servers.get(i).isAlive())
                .mapToObj(this::httpAddress)
                .toList();
    }

    @Override
    public void close() {
        servers.forEach(server -> server.signal("TERM"));
        servers.forEach(ServerProcess::end);
    }
}
