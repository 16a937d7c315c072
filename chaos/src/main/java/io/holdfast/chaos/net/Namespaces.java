package io.holdfast.chaos.net;

import io.holdfast.chaos.proc.Shell;

/**
 * The network of a run: a bridge in the namespace of the run, and a namespace on it for each process.
 *
 * <p>All of it lies inside namespaces that {@code chaos/run} has made, so it goes when the last process of the run goes.
 */
public final class Namespaces {
    private static final String BRIDGE = "chaos";
    private static final String MASK = "/24";

    private Namespaces() {}

    /** The port of the bridge that its namespace is plugged into. */
    static String port(String name) {
        return "v-" + name;
    }

    public static void create(Topology topology) {
        Shell.run("ip", "link", "set", "lo", "up");
        Shell.run("ip", "link", "add", BRIDGE, "type", "bridge");
        Shell.run("ip", "addr", "add", topology.hub() + MASK, "dev", BRIDGE);
        Shell.run("ip", "link", "set", BRIDGE, "up");
        for (String name : topology.names()) {
            Shell.run("ip", "netns", "add", name);
            Shell.run("ip", "link", "add", port(name), "type", "veth", "peer", "name", "eth0", "netns", name);
            Shell.run("ip", "link", "set", port(name), "master", BRIDGE, "up");
            Shell.run("ip", "-n", name, "addr", "add", topology.host(name) + MASK, "dev", "eth0");
            Shell.run("ip", "-n", name, "link", "set", "lo", "up");
            Shell.run("ip", "-n", name, "link", "set", "eth0", "up");
        }
    }
}
