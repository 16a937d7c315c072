package io.holdfast.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file with the pid and start time of each process that was started, for the script to end what is left if this JVM is
 * killed. The start time keeps it from ending a stranger that got the same pid.
 */
public final class StartedPids {
    private static final int START_TIME_FIELD = 19;
    private static volatile @Nullable Path file;

    private StartedPids() {}

    public static void recordIn(Path path) {
        file = path;
    }

    static void add(long pid) throws IOException {
        Path target = file;
        if (target == null) {
            return;
        }
        String start;
        try {
            String line = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            start = line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[START_TIME_FIELD];
        } catch (IOException | UncheckedIOException alreadyGone) {
            return;
        }
        Files.writeString(target, pid + " " + start + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
