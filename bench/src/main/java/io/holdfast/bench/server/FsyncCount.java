package io.holdfast.bench.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Counts the fsync and fdatasync calls of each server over a while: with strace where it is installed, else only the number of
 * write calls from {@code /proc/PID/io}, which proves no fsync.
 */
public final class FsyncCount {
    private static final long ATTACH_MILLIS = 1_000;

    private final List<ServerProcess> servers;
    private final Path directory;
    private final List<ServerProcess> tracers = new ArrayList<>();
    private final List<Long> writesBefore = new ArrayList<>();

    private FsyncCount(List<ServerProcess> servers, Path directory) {
        this.servers = servers;
        this.directory = directory;
    }

    /** Starts to count. */
    public static FsyncCount begin(List<ServerProcess> servers, Path directory) throws InterruptedException {
        FsyncCount count = new FsyncCount(servers, directory);
        for (ServerProcess server : servers) {
            if (hasStrace()) {
                count.trace(server);
            } else {
                count.writesBefore.add(writeCalls(server));
            }
        }
        Thread.sleep(ATTACH_MILLIS);
        return count;
    }

    private static boolean hasStrace() {
        return Files.isExecutable(Path.of("/usr/bin/strace"));
    }

    private void trace(ServerProcess server) {
        ServerProcess tracer = new ServerProcess(
                "strace of " + server.name(),
                List.of(
                        "/usr/bin/strace",
                        "-c",
                        "-f",
                        "-e",
                        "trace=fsync,fdatasync",
                        "-o",
                        summary(server).toString(),
                        "-p",
                        String.valueOf(server.pid())),
                Map.of(),
                directory.resolve("strace.log"));
        tracer.start();
        tracers.add(tracer);
    }

    private Path summary(ServerProcess server) {
        return directory.resolve("strace-" + server.name() + ".txt");
    }

    /** Stops counting; what was counted, as a sentence. */
    public String end(long pairs) {
        if (tracers.isEmpty()) {
            return writesSentence(pairs);
        }
        List<String> each = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < servers.size(); i++) {
            tracers.get(i).signal("INT");
            tracers.get(i).awaitEnd();
            long calls = callsIn(summary(servers.get(i)));
            each.add(servers.get(i).name() + " " + calls);
            total += calls;
        }
        return "fsync + fdatasync calls by strace -c -f: " + String.join(", ", each) + " during " + pairs + " pairs"
                + (total == 0 ? " - NONE: this is no comparison of durable services" : "");
    }

    private String writesSentence(long pairs) {
        List<String> each = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            each.add(servers.get(i).name() + " " + (writeCalls(servers.get(i)) - writesBefore.get(i)));
        }
        return "strace is not installed (apt-get install strace), so fsync is not proved; write calls by /proc/PID/io: "
                + String.join(", ", each) + " during " + pairs + " pairs";
    }

    /** Lines of the summary: % time, seconds, usecs/call, calls, [errors], name. */
    private static long callsIn(Path summary) {
        try {
            return Files.readAllLines(summary).stream()
                    .map(line -> line.trim().split(" +", -1))
                    .filter(words -> words.length >= 5
                            && Arrays.asList("fsync", "fdatasync").contains(words[words.length - 1]))
                    .mapToLong(words -> Long.parseLong(words[3]))
                    .sum();
        } catch (IOException none) {
            return 0;
        }
    }

    private static long writeCalls(ServerProcess server) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(server.pid()), "io")).stream()
                    .filter(line -> line.startsWith("syscw: "))
                    .mapToLong(line -> Long.parseLong(line.substring("syscw: ".length())))
                    .findFirst()
                    .orElse(0);
        } catch (IOException none) {
            return 0;
        }
    }
}
