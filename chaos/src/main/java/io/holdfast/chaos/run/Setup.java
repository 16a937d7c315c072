package io.holdfast.chaos.run;

import io.holdfast.chaos.disk.ReplicaDisk;
import io.holdfast.chaos.load.LoadConfig;
import io.holdfast.chaos.load.LoadMain;
import io.holdfast.chaos.net.ReplicaConfigFile;
import io.holdfast.chaos.net.Topology;
import io.holdfast.chaos.plant.Plant;
import io.holdfast.chaos.proc.FakeClock;
import io.holdfast.chaos.proc.Launch;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lays out a run's directory and prepares its processes; starts none of them. */
final class Setup {
    /** Small, so that snapshots are taken and sent. */
    private static final int SNAPSHOT_ENTRIES = 3_000;
    /** One each for the client processes, over and over: the default, and shorter ones. */
    private static final long[] LEASES_MILLIS = {12_000, 8_000, 6_000};

    private final Options options;
    private final Topology topology;
    private final Map<String, FakeClock> clocks = new TreeMap<>();
    private final Map<String, ReplicaDisk> disks = new TreeMap<>();
    private final String classPath;
    private final String replicaClassPath;

    Setup(Options options, Topology topology) throws IOException {
        this.options = options;
        this.topology = topology;
        for (String part : List.of("log", "history", "config", "disk", "clock", "tmp")) {
            Files.createDirectories(directory(part));
        }
        this.classPath = libraries(directory("lib"));
        this.replicaClassPath = options.plant().isEmpty()
                ? classPath
                : new Plant(options.sources(), directory("tmp")).jar(options.plant(), classPath) + ":" + classPath;
    }

    private Path directory(String part) {
        return options.directory().resolve(part);
    }

    private static String libraries(Path lib) throws IOException {
        try (Stream<Path> jars = Files.list(lib)) {
            return jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .sorted()
                    .map(Path::toString)
                    .collect(Collectors.joining(":"));
        }
    }

    Map<String, FakeClock> clocks() {
        return clocks;
    }

    Map<String, ReplicaDisk> disks() {
        return disks;
    }

    List<ReplicaProcess> replicas() throws IOException {
        List<ReplicaProcess> replicas = new ArrayList<>();
        for (String name : topology.replicaNames()) {
            ReplicaDisk disk = new ReplicaDisk(directory("disk").resolve(name), options.root());
            disks.put(name, disk);
            Path config = directory("config").resolve(name + ".yaml");
            ReplicaConfigFile.write(
                    config, topology, name, disk.data(), "raft: {snapshotEntries: " + SNAPSHOT_ENTRIES + "}");
            Launch launch = launch(name, replicaClassPath, "-Xmx192m", "-XX:+ExitOnOutOfMemoryError");
            if (options.shim() != null) {
                launch = launch.with("CHAOS_DISK_DIR", disk.data().toString())
                        .with("CHAOS_DISK_UNDO", disk.undoLog().toString())
                        .with("CHAOS_DISK_KEPT", disk.kept().toString())
                        .with("CHAOS_DISK_CONTROL", disk.controlFile().toString());
            }
            replicas.add(new ReplicaProcess(name, log(name), preloaded(name, launch, true), config, disk.data()));
        }
        return replicas;
    }

    /** @param startNanos when the run starts */
    List<LoadProcess> clients(long startNanos) throws IOException {
        List<LoadProcess> clients = new ArrayList<>();
        int index = 0;
        for (String name : topology.clientNames()) {
            long lease = LEASES_MILLIS[index % LEASES_MILLIS.length];
            long seed = options.seed() * 31 + index++;
            Launch launch = preloaded(name, launch(name, classPath, "-Xmx160m"), false);
            clients.add(new LoadProcess(
                    name,
                    log(name),
                    launch,
                    LoadMain.class.getName(),
                    life -> loadConfig(name, life, seed, startNanos, lease).toArguments()));
        }
        return clients;
    }

    private LoadConfig loadConfig(String name, int life, long seed, long startNanos, long lease) {
        Map<String, String> each = new LinkedHashMap<>();
        topology.replicaNames().forEach(replica -> each.put(replica, topology.clientAddress(replica)));
        return new LoadConfig(
                name + "-" + life,
                String.join(",", each.values()),
                topology.replicaNames().stream().map(topology::relayAddress).collect(Collectors.joining(",")),
                each,
                topology.hub(),
                topology.fencePort(),
                directory("history").resolve(name + "." + life),
                seed * 1_000 + life,
                startNanos,
                lease);
    }

    private Path log(String name) {
        return directory("log").resolve(name + ".log");
    }

    private Launch launch(String name, String path, String... more) {
        List<String> jvm = new ArrayList<>(List.of(more));
        jvm.add("-XX:SharedArchiveFile=" + directory("classes.jsa")); // ignored if it does not fit
        jvm.add("-Djava.io.tmpdir=" + directory("tmp"));
        jvm.add("-XX:ErrorFile=" + directory("log").resolve(name + "-crash-%p.log"));
        return new Launch(topology.prefix(name), path, jvm, Map.of());
    }

    private Launch preloaded(String name, Launch launch, boolean withShim) throws IOException {
        List<String> libraries = new ArrayList<>();
        Launch prepared = launch;
        if (options.fakeTime() != null) {
            FakeClock clock =
                    new FakeClock(options.fakeTime(), directory("clock").resolve(name));
            clocks.put(name, clock);
            libraries.add(options.fakeTime().toString());
            for (var variable : clock.environment().entrySet()) {
                prepared = prepared.with(variable.getKey(), variable.getValue());
            }
        }
        if (withShim && options.shim() != null) {
            libraries.add(options.shim().toString());
        }
        return libraries.isEmpty() ? prepared : prepared.with("LD_PRELOAD", String.join(":", libraries));
    }
}
