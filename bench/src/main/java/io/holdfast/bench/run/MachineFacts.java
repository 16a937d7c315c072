package io.holdfast.bench.run;

import io.holdfast.bench.disk.DiskProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What figures depend on besides the services: printed above each table. */
final class MachineFacts {
    private static final double PROBE_SECONDS = 2;

    private MachineFacts() {}

    static void print(Path directory) throws IOException {
        DiskProbe.Result disk = DiskProbe.measure(directory, PROBE_SECONDS);
        String load = Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0];
        System.out.println("machine: " + Runtime.getRuntime().availableProcessors() + " cores, "
                + memoryGib() + " GiB, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + ", Java "
                + Runtime.version().feature() + "; data on "
                + Files.getFileStore(directory).type() + ", fsync p50 " + Table.millis(disk.p50Nanos()) + " ms, p99 "
                + Table.millis(disk.p99Nanos()) + " ms; load average before the run " + load);
        if (Double.parseDouble(load) > Runtime.getRuntime().availableProcessors()) {
            System.out.println(
                    "machine: others use it as well, so these figures are low and only their ratios mean much");
        }
    }

    /** @throws IllegalArgumentException if a process may not have so many files and connections open */
    static void requireFiles(int count) throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.trim().split(" {2,}", -1)[2]) // the hard limit, up to which Java raises its own
                .findFirst()
                .orElse("unlimited");
        if (!limit.equals("unlimited") && Long.parseLong(limit) < count) {
            throw new IllegalArgumentException("a process may have " + limit + " files open, " + count
                    + " are needed; raise it with ulimit -Hn, or ask for fewer --sessions");
        }
    }

    private static long memoryGib() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 20)
                .findFirst()
                .orElse(0);
    }
}
