package io.holdfast.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Processor time that processes have used, user and system, from {@code /proc/PID/stat}. */
public final class ServerCpu {
    /** Linux tells it in hundredths of a second to programs, on every architecture that matters. */
    private static final long TICK_NANOS = 10_000_000;
    /** Counted after the name, which is in parentheses and may contain anything. */
    private static final int USER_FIELD = 11;

    private static final int SYSTEM_FIELD = 12;

    private final List<Path> files;

    /** @param pids separated by commas */
    public ServerCpu(String pids) {
        files = Arrays.stream(pids.split(",", -1))
                .map(pid -> Path.of("/proc", pid, "stat"))
                .toList();
    }

    /** Of all of them since they started. */
    public long nanos() {
        long ticks = 0;
        for (Path file : files) {
            String[] fields = afterName(file);
            ticks += Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]);
        }
        return ticks * TICK_NANOS;
    }

    private static String[] afterName(Path file) {
        try {
            String line = Files.readString(file);
            return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        } catch (IOException e) {
            throw new UncheckedIOException("a server process is gone: " + file, e);
        }
    }
}
