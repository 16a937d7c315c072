package io.holdfast.chaos.show;

import io.holdfast.chaos.net.ReplicaConfigFile;
import io.holdfast.chaos.net.Topology;
import io.holdfast.chaos.plant.Plant;
import io.holdfast.chaos.proc.Launch;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cell of real replica processes that share one network and differ in ports; several of them can run side by side.
 *
 * <p><b>Thread:</b> one; the processes may be asked from any.
 */
public final class LoopbackCell implements AutoCloseable {
    private static final int FIRST_PORT = 21_000;
    private static final int PORT_SPAN = 8_000;
    private static final int PORTS_PER_CELL = 40;

    private final Topology topology;
    private final List<ReplicaProcess> replicas = new ArrayList<>();

    /**
     * What all cells of a program have in common.
     *
     * @param directory everything is written below it
     * @param classPath of replicas and of clients in processes of their own
     * @param replicaClassPath the same, with planted bugs before it if there are any
     */
    public record Ground(Path directory, String classPath, String replicaClassPath) {
        /**
         * Takes the jars in {@code lib} below the directory.
         *
         * @param sources root of the repository, for planting
         * @param plant names of mutants; none if empty
         */
        public static Ground prepare(Path directory, Path sources, List<String> plant) throws IOException {
            for (String part : List.of("log", "config", "data", "tmp")) {
                Files.createDirectories(directory.resolve(part));
            }
            String libraries;
            try (Stream<Path> jars = Files.list(directory.resolve("lib"))) {
                libraries = jars.filter(jar -> jar.toString().endsWith(".jar"))
                        .sorted()
                        .map(Path::toString)
                        .collect(Collectors.joining(":"));
            }
            String planted =
                    plant.isEmpty() ? "" : new Plant(sources, directory.resolve("tmp")).jar(plant, libraries) + ":";
            return new Ground(directory, libraries, planted + libraries);
        }

        /** How to start a JVM of the program. */
        public Launch launch(String name, String path, String... options) {
            List<String> jvm = new ArrayList<>(List.of(options));
            jvm.add("-XX:SharedArchiveFile=" + directory.resolve("classes.jsa")); // ignored if it does not fit
            jvm.add("-Djava.io.tmpdir=" + directory.resolve("tmp"));
            jvm.add("-XX:ErrorFile=" + directory.resolve("log").resolve(name + "-crash-%p.log"));
            return new Launch(List.of(), path, jvm, Map.of());
        }

        public Path log(String name) {
            return directory.resolve("log").resolve(name + ".log");
        }
    }

    /**
     * Lays it out; starts nothing.
     *
     * @param number of the cell within the program, from 1
     */
    public LoopbackCell(Ground ground, int number, int size) throws IOException {
        int slots = PORT_SPAN / PORTS_PER_CELL;
        long slot = Math.floorMod(ProcessHandle.current().pid() + number, (long) slots);
        this.topology = new Topology(size, 0, false, FIRST_PORT + (int) slot * PORTS_PER_CELL);
        for (String replica : topology.replicaNames()) {
            String full = "cell" + number + "-" + replica;
            Path data = ground.directory().resolve("data").resolve(full);
            Path config = ground.directory().resolve("config").resolve(full + ".yaml");
            ReplicaConfigFile.write(config, topology, replica, data);
            Launch launch = ground.launch(full, ground.replicaClassPath(), "-Xmx192m", "-XX:+ExitOnOutOfMemoryError");
            replicas.add(new ReplicaProcess(replica, ground.log(full), launch, config, data));
        }
    }

    /** Starts those that do not run. */
    public void ensureRunning() {
        replicas.forEach(ManagedProcess::ensureRunning);
    }

    public List<ReplicaProcess> replicas() {
        return List.copyOf(replicas);
    }

    public ReplicaProcess replica(String name) {
        return replicas.stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no replica is called " + name));
    }

    public String address(String replica) {
        return topology.clientAddress(replica);
    }

    public int port(String replica) {
        return topology.clientPort(replica);
    }

    public int peerPort(String replica) {
        return portOf(topology.peerAddress(replica));
    }

    public Set<Integer> peerPorts() {
        return topology.replicaNames().stream().map(this::peerPort).collect(Collectors.toSet());
    }

    private static int portOf(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Client addresses of all. */
    public String endpoints() {
        return endpointsBut(Set.of());
    }

    /** Client addresses of the others. */
    public String endpointsBut(Set<String> names) {
        return topology.replicaNames().stream()
                .filter(name -> !names.contains(name))
                .map(topology::clientAddress)
                .collect(Collectors.joining(","));
    }

    /** Ends all of them, at once. */
    @Override
    public void close() {
        ManagedProcess.killAll(replicas);
    }
}
