package io.holdfast.bench.run;

import io.holdfast.bench.server.Cluster;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.Setup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What all benchmarks of services share: options, class paths, clusters with fresh data. */
final class Bench {
    private final Options options;
    private final Path root;
    private final Path data;
    private final int replicas;
    private boolean dev;
    private int clusters;

    Bench(Options options) {
        this.options = options;
        this.root = options.path("root");
        this.data = options.path("data");
        this.replicas = options.integer("replicas", 3, 3, 1, 7);
        this.dev = options.text("holdfast", "auto").equals("dev");
    }

    Options options() {
        return options;
    }

    Path data() {
        return data;
    }

    int replicas() {
        return replicas;
    }

    /** Those named by {@code --systems} that can run here. */
    List<Contender> contenders() {
        return options.words("systems", "holdfast,zookeeper,etcd").stream()
                .map(Contender::named)
                .filter(Contender::isHere)
                .toList();
    }

    /** Something done with a running service. */
    interface Work<T> {
        T with(Cluster cluster, LoadProcess load, Path logs) throws IOException, InterruptedException;
    }

    /** Starts the servers and a load JVM, does the work, ends them, removes their data. */
    <T> T run(Contender contender, Work<T> work) throws IOException, InterruptedException {
        clusters++;
        Path directory = Files.createDirectories(data.resolve(contender.label() + "-" + clusters));
        T result;
        try (Cluster cluster = start(contender, directory);
                LoadProcess load = new LoadProcess(
                        classPath(contender), contender.driver(), cluster.endpoints(), directory.resolve("load.log"))) {
            result = work.with(cluster, load, directory);
        }
        removeData(directory);
        return result;
    }

    /** Something done with replica processes alone. */
    interface ReplicaWork {
        void with(HoldfastReplicas replicas, Setup setup) throws IOException, InterruptedException;
    }

    /** Starts replicas of Holdfast, does the work, ends them, removes their data. */
    void onReplicas(ReplicaWork work) throws IOException, InterruptedException {
        clusters++;
        Path directory = Files.createDirectories(data.resolve("Holdfast-" + clusters));
        Setup setup = new Setup(root, "", directory, replicas);
        try (HoldfastReplicas cluster = HoldfastReplicas.start(setup)) {
            work.with(cluster, setup);
        }
        removeData(directory);
    }

    private Cluster start(Contender contender, Path directory) {
        Setup setup = new Setup(root, classPath(Contender.ZOOKEEPER), directory, replicas);
        if (contender != Contender.HOLDFAST
                || dev
                || !options.text("holdfast", "auto").equals("auto")) {
            return contender.start(setup, dev);
        }
        try {
            return contender.start(setup, false);
        } catch (IllegalStateException noReplicas) {
            System.out.println("replica processes do not start, so Holdfast runs as ONE process (holdfast dev): "
                    + noReplicas.getMessage());
            dev = true;
            return contender.start(setup, true);
        }
    }

    String classPath(Contender contender) {
        Path module = root.resolve(contender == Contender.HOLDFAST ? "bench" : "bench/peers");
        String jar = contender == Contender.HOLDFAST ? "holdfast-bench.jar" : "holdfast-bench-peers.jar";
        List<String> entries = new ArrayList<>();
        entries.add(module.resolve("target").resolve(jar).toString());
        entries.add(module.resolve("target/lib").toString() + "/*");
        return String.join(":", entries);
    }

    /** The next servers need the space; the logs stay until the script ends, or longer with {@code --keep}. */
    private static void removeData(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder())
                    .filter(file -> !file.equals(directory) && !isServerLog(directory, file))
                    .toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isServerLog(Path directory, Path file) {
        return directory.equals(file.getParent()) && file.toString().endsWith(".log");
    }
}
