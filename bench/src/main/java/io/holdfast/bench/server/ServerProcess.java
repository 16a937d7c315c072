package io.holdfast.bench.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process that this run started: a server or a load JVM. Ended by its pid, and at the latest when this JVM ends.
 *
 * <p><b>Thread:</b> one, besides the shutdown hook.
 */
public final class ServerProcess {
    private static final long END_SECONDS = 8;
    private static final int TAIL_LINES = 15;

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private volatile @Nullable Process process;

    /** @param log gets its stdout and stderr, appended */
    public ServerProcess(String name, List<String> command, Map<String, String> environment, Path log) {
        this.name = name;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = log;
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    public String name() {
        return name;
    }

    public Path log() {
        return log;
    }

    /** Starts it, or starts it again after it ended. */
    public void start() {
        launch(builder().redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    /** Starts it with its stdin and stdout in the caller's hands. */
    public Process startPiped() {
        return launch(builder());
    }

    private ProcessBuilder builder() {
        File errors = log.toFile();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(errors));
        builder.environment().putAll(environment);
        return builder;
    }

    private Process launch(ProcessBuilder builder) {
        try {
            Process started = builder.start();
            process = started;
            StartedPids.add(started.pid());
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    public boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    public long pid() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return running.pid();
    }

    /** Sends a signal by name: KILL, TERM, STOP, CONT, INT. Returns when the process has it. */
    public void signal(String signal) {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        switch (signal) {
            case "KILL" -> running.destroyForcibly();
            case "TERM" -> running.destroy();
            default -> kill(signal, running.pid());
        }
    }

    /** By a command, since Java sends no others; that takes a while on a busy machine. */
    private void kill(String signal, long pid) {
        try {
            new ProcessBuilder("/bin/kill", "-" + signal, String.valueOf(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot signal " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGTERM, and SIGKILL if that does not end it within seconds; returns when it is gone. */
    public void end() {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroy();
        if (!awaitEnd(running)) {
            kill();
            awaitEnd(running);
        }
    }

    /** Waits until it is gone, for some seconds. */
    public boolean awaitEnd() {
        Process running = process;
        return running == null || awaitEnd(running);
    }

    private static boolean awaitEnd(Process running) {
        try {
            return running.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    /** The end of what it printed. */
    public String tail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    public String printed() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
