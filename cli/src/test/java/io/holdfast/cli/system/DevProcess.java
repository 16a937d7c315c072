package io.holdfast.cli.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A {@code holdfast dev} of its own: free ports, a temporary directory. */
final class DevProcess {
    private static final int FIRST_PORT = 21_000;
    private static final int PORTS = 10_000;

    private final Holdfast holdfast;
    private final Path data;
    private final int port;
    private final List<String> more;
    private Holdfast.Running running;

    DevProcess(Holdfast holdfast, Path data, int port, String... more) {
        this.holdfast = holdfast;
        this.data = data;
        this.port = port;
        this.more = List.of(more);
    }

    /** The command, with a cell of its own that is ready; closing it ends both. */
    static Holdfast cellIn(Path directory) {
        int port = freePorts();
        Holdfast holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        new DevProcess(holdfast, directory.resolve("data"), port).start();
        return holdfast;
    }

    /** The first of as many free ports in a row as a cell of three replicas takes. */
    static int freePorts() {
        return freePorts(5);
    }

    /** The first of this many free ports in a row. */
    static int freePorts(int count) {
        for (int attempt = 0; attempt < 100; attempt++) {
            int first = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            if (isFree(first, count)) {
                return first;
            }
        }
        throw new AssertionError("no free ports");
    }

    private static boolean isFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                socket.setReuseAddress(true);
            } catch (IOException occupied) {
                return false;
            }
        }
        return true;
    }

    /** Starts it, and waits until it says that it is ready. */
    DevProcess start() {
        Holdfast.Running process = begin();
        Holdfast.await("dev ready", () -> {
            if (!process.process().isAlive()) {
                throw new AssertionError("dev ended: " + process.stdout() + process.stderr());
            }
            return process.stdout().contains("ready: ");
        });
        running = process;
        return this;
    }

    /** Starts it, whatever comes of it. */
    Holdfast.Running begin() {
        List<String> arguments =
                new ArrayList<>(List.of("dev", "--data", data.toString(), "--port", Integer.toString(port)));
        arguments.addAll(more);
        return holdfast.start(arguments.toArray(String[]::new));
    }

    Holdfast.Running running() {
        return running;
    }

    String endpoint() {
        return "127.0.0.1:" + port;
    }

    String http() {
        return "http://127.0.0.1:" + (port + 1);
    }

    void kill() {
        running.signal("KILL");
        running.await();
    }
}
