package io.holdfast.chaos.net;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Who is where. With namespaces every replica and every client process has one of its own, with an address on a bridge in
 * the namespace of the run; without, all share the loopback and differ in ports.
 *
 * @param replicas how many
 * @param clients how many client processes
 * @param namespaces whether each has a namespace
 * @param basePort first port on the loopback; unused with namespaces
 */
public record Topology(int replicas, int clients, boolean namespaces, int basePort) {
    /** Of the harness itself on the bridge: the fenced resource and the relays listen here. */
    private static final String HUB = "10.77.0.254";

    private static final String SUBNET = "10.77.0.";
    private static final int FIRST_CLIENT_HOST = 100;
    private static final int CLIENT_PORT = 7420;
    private static final int HTTP_PORT = 7421;
    private static final int PEER_PORT = 7422;
    private static final int PORTS_PER_REPLICA = 3;
    private static final int FIRST_RELAY_PORT = 8420;

    /** {@code r1}, {@code r2}, … */
    public List<String> replicaNames() {
        return IntStream.rangeClosed(1, replicas).mapToObj(i -> "r" + i).toList();
    }

    /** {@code c1}, {@code c2}, … */
    public List<String> clientNames() {
        return IntStream.rangeClosed(1, clients).mapToObj(i -> "c" + i).toList();
    }

    public List<String> names() {
        List<String> names = new ArrayList<>(replicaNames());
        names.addAll(clientNames());
        return names;
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }

    /** Address of a replica or client process. */
    public String host(String name) {
        if (!namespaces) {
            return "127.0.0.1";
        }
        return SUBNET + (number(name) + (name.startsWith("c") ? FIRST_CLIENT_HOST : 0));
    }

    /** Where the harness listens. */
    public String hub() {
        return namespaces ? HUB : "127.0.0.1";
    }

    private int port(String replica, int offset) {
        return namespaces ? CLIENT_PORT + offset : basePort + (number(replica) - 1) * PORTS_PER_REPLICA + offset;
    }

    public int clientPort(String replica) {
        return port(replica, 0);
    }

    public String clientAddress(String replica) {
        return host(replica) + ":" + clientPort(replica);
    }

    public String httpAddress(String replica) {
        return host(replica) + ":" + port(replica, HTTP_PORT - CLIENT_PORT);
    }

    public String peerAddress(String replica) {
        return host(replica) + ":" + port(replica, PEER_PORT - CLIENT_PORT);
    }

    /** Where the relay in front of a replica's client port listens. */
    public int relayPort(String replica) {
        return (namespaces ? FIRST_RELAY_PORT : basePort + replicas * PORTS_PER_REPLICA) + number(replica);
    }

    public String relayAddress(String replica) {
        return hub() + ":" + relayPort(replica);
    }

    /** The port of the fenced resource. */
    public int fencePort() {
        return (namespaces ? FIRST_RELAY_PORT : basePort + replicas * PORTS_PER_REPLICA) + replicas + 1;
    }

    /** What a command has to begin with to run where this process is. */
    public List<String> prefix(String name) {
        return namespaces ? List.of("nsenter", "--net=/run/netns/" + name) : List.of();
    }
}
