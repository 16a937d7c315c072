package io.holdfast.chaos.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process of the run that can be killed, frozen and started again.
 *
 * <p><b>Thread:</b> any.
 */
public abstract class ManagedProcess {
    private static final long END_SECONDS = 20;
    private static final int LOG_TAIL_LINES = 15;

    private final String name;
    private final Path log;
    /** Guarded by this. */
    private @Nullable Process process;
    /** Guarded by this: nobody has ended it on purpose since it was started. */
    private boolean expectedAlive;

    ManagedProcess(String name, Path log) {
        this.name = name;
        this.log = log;
    }

    abstract Process launch();

    public final String name() {
        return name;
    }

    public final Path log() {
        return log;
    }

    /** Starts it unless it runs. */
    public final synchronized void ensureRunning() {
        if (process == null || !process.isAlive()) {
            process = launch();
        }
        expectedAlive = true;
    }

    public final synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether it ended although nobody ended it. */
    public final synchronized boolean diedByItself() {
        return expectedAlive && process != null && !process.isAlive();
    }

    /** 0 if it does not run. */
    public final synchronized long pid() {
        return process != null && process.isAlive() ? process.pid() : 0;
    }

    final synchronized @Nullable Process process() {
        return process;
    }

    /** From here on its end is no surprise. */
    public final synchronized void expectDeath() {
        expectedAlive = false;
    }

    /** Whether the system reports it as stopped by a signal. */
    public final boolean isFrozen() {
        long pid = pid();
        if (pid == 0) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException gone) {
            return false;
        }
    }

    /** Waits until it has ended; kills it when that takes too long. Returns whether that was needed. */
    public final boolean awaitEnd() {
        Process ending = process();
        if (ending == null) {
            return false;
        }
        try {
            if (ending.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                return false;
            }
            ending.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** {@code kill -9}, all in one call, and waits until they are gone. */
    public static void killAll(List<? extends ManagedProcess> processes) {
        processes.forEach(ManagedProcess::expectDeath);
        Shell.signal("KILL", pids(processes));
        processes.forEach(ManagedProcess::awaitEnd);
    }

    public static List<Long> pids(List<? extends ManagedProcess> processes) {
        return processes.stream()
                .map(ManagedProcess::pid)
                .filter(pid -> pid != 0)
                .toList();
    }

    /** The end of its log. */
    public final String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n  ", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public final String toString() {
        return name;
    }
}
