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
 * A cell of real replica processes.
 *
 * <p><b>Thread:</b> one; the processes may be asked from any.
 */
public final class ShowCell implements AutoCloseable {
    private static final int FIRST_PORT = 21_000;
    private static final int PORT_SPAN = 8_000;
    private static final int PORTS_PER_CELL = 40;

    private final Topology topology;
    private final List<ReplicaProcess> replicas = new ArrayList<>();

    /**
     * What all cells of a program have in common.
     *
     * @param directory everything is written below it
     * @param classPath of all that runs in processes of their own
     * @param plantedClassPath the same, with planted bugs before it if there are any
     */
    public record Ground(Path directory, String classPath, String plantedClassPath) {
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
            return launch(name, List.of(), path, options);
        }

        /** @param prefix command that leads into a network namespace */
        public Launch launch(String name, List<String> prefix, String path, String... options) {
            List<String> jvm = new ArrayList<>(List.of(options));
            jvm.add("-XX:SharedArchiveFile=" + directory.resolve("classes.jsa")); // ignored if it does not fit
            jvm.add("-Djava.io.tmpdir=" + directory.resolve("tmp"));
            jvm.add("-XX:ErrorFile=" + directory.resolve("log").resolve(name + "-crash-%p.log"));
            return new Launch(prefix, path, jvm, Map.of());
        }

        public Path log(String name) {
            return directory.resolve("log").resolve(name + ".log");
        }
    }

    /**
     * Lays it out; starts nothing.
     *
     * @param name of the cell within the program
     */
    public ShowCell(Ground ground, String name, Topology topology) throws IOException {
        this.topology = topology;
        for (String replica : topology.replicaNames()) {
            String full = name + "-" + replica;
            Path data = ground.directory().resolve("data").resolve(full);
            Path config = ground.directory().resolve("config").resolve(full + ".yaml");
            ReplicaConfigFile.write(config, topology, replica, data);
            Launch launch = ground.launch(
                    full,
                    topology.prefix(replica),
                    ground.plantedClassPath(),
                    "-Xmx192m",
                    "-XX:+ExitOnOutOfMemoryError");
            replicas.add(new ReplicaProcess(replica, ground.log(full), launch, config, data));
        }
    }

    /**
     * One whose replicas share this process' network and differ in ports; several can run side by side.
     *
     * @param number of the cell within the program, from 1
     */
    public static ShowCell onLoopback(Ground ground, int number, int size) throws IOException {
        int slots = PORT_SPAN / PORTS_PER_CELL;
        long slot = Math.floorMod(ProcessHandle.current().pid() + number, (long) slots);
        Topology topology = new Topology(size, 0, false, FIRST_PORT + (int) slot * PORTS_PER_CELL);
        return new ShowCell(ground, "cell" + number, topology);
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

    public String httpAddress(String replica) {
        return topology.httpAddress(replica);
    }

    public int port(String replica) {
        return topology.clientPort(replica);
    }

    public int peerPort(String replica) {
        return portOf(topology.peerAddress(replica));
    }

    /** Peer ports of the others. */
    public Set<Integer> peerPortsBut(String replica) {
        return topology.replicaNames().stream()
                .filter(name -> !name.equals(replica))
                .map(this::peerPort)
                .collect(Collectors.toSet());
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
