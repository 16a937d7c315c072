package io.holdfast.chaos.frozen;

import io.holdfast.chaos.proc.Shell;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Drops all packets between a stopped replica and its peers, but none of its clients', so that it wakes without a word of the
 * new leader in its sockets: only then does it depend on asking (R2.6) whether it still leads.
 *
 * <p>All replicas share one address, so packets are told apart by ports: its peer port, and those of its connections to its
 * peers. Needs nftables and a network namespace of the run's own.
 *
 * <p><b>Thread:</b> one.
 */
final class PeerCut implements AutoCloseable {
    private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");
    private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+)");
    private static final List<String> TABLES = List.of("/proc/net/tcp", "/proc/net/tcp6");
    /** Columns of those tables. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private final String table;
    private final String otherPorts;

    /**
     * Begins to drop.
     *
     * @param name of the table; unique among cuts at one time
     * @param pid of the replica, which is stopped, so that its connections stay what they are
     * @param ownPort its peer port
     * @param otherPorts peer ports of the others
     */
    PeerCut(String name, long pid, int ownPort, Set<Integer> otherPorts) {
        this.table = "cut_" + name;
        this.otherPorts = ports(otherPorts);
        Set<Integer> own = dialled(pid, otherPorts);
        own.add(ownPort);
        filter(
                "table ip " + table + " {",
                "  chain in {",
                "    type filter hook input priority 0;",
                "    tcp sport { " + ports(own) + " } counter drop",
                "    tcp dport { " + ports(own) + " } counter drop",
                "  }",
                "}");
    }

    /**
     * Now it may also try to connect anew, from ports that nobody knows: from here on nobody in the cell gets a new
     * connection to a peer port. So it is called just before the replica goes on.
     */
    void beforeWaking() {
        filter("add rule ip " + table + " in tcp dport { " + otherPorts
                + " } tcp flags & (syn|ack) == syn counter drop");
    }

    private static void filter(String... lines) {
        Shell.runWithInput(String.join("\n", lines) + "\n", "nft", "-f", "-");
    }

    private static String ports(Set<Integer> some) {
        return some.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Local ports of the process' connections to these ports. */
    private static Set<Integer> dialled(long pid, Set<Integer> remotePorts) {
        Set<Integer> found = new TreeSet<>();
        try {
            Set<String> inodes = sockets(pid);
            for (String file : TABLES) {
                Path path = Path.of(file);
                if (!Files.exists(path)) {
                    continue;
                }
                for (String line : Files.readAllLines(path)) {
                    String[] word = line.strip().split("\\s+");
                    if (word.length > INODE
                            && inodes.contains(word[INODE])
                            && remotePorts.contains(port(word[REMOTE]))) {
                        found.add(port(word[LOCAL]));
                    }
                }
            }
        } catch (IOException failed) {
            throw new IllegalStateException("the connections of process " + pid + " cannot be read", failed);
        }
        if (found.isEmpty()) {
            throw new IllegalStateException("process " + pid + " has no connection to its peers");
        }
        return found;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files) {
                Matcher socket = SOCKET.matcher(Files.readSymbolicLink(file).toString());
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        }
        return inodes;
    }

    private static int port(String hexAddress) {
        return Integer.parseInt(hexAddress.substring(hexAddress.lastIndexOf(':') + 1), 16);
    }

    /** Packets that were dropped so far. */
    long dropped() {
        Matcher counters = PACKETS.matcher(Shell.run("nft", "list", "table", "ip", table));
        long packets = 0;
        while (counters.find()) {
            packets += Long.parseLong(counters.group(1));
        }
        return packets;
    }

    @Override
    public void close() {
        Shell.run("nft", "delete", "table", "ip", table);
    }
}
