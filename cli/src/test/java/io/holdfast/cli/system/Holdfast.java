package io.holdfast.cli.system;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Starts the command from the jars that packaging made, and waits for what it does. Kills all it started when closed. */
final class Holdfast implements AutoCloseable {
    /** Generous: tests share their machine. */
    static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path directory;
    private final String endpoints;
    private final List<Running> started = new ArrayList<>();
    private int count;

    Holdfast(Path directory, String endpoints) {
        this.directory = directory;
        this.endpoints = endpoints;
    }

    /** What a finished command left. */
    record Result(int status, String out, String err, Duration took) {}

    /** A command that runs, with its streams going to files. */
    record Running(Process process, Path out, Path err, long startNanos) {
        long pid() {
            return process.pid();
        }

        String stdout() {
            return read(out);
        }

        String stderr() {
            return read(err);
        }

        /** True, or fails with what it said. */
        boolean requireRunning() {
            if (!process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + ": " + stdout() + stderr());
            }
            return true;
        }

        void signal(String name) {
            Holdfast.signal(name, process.pid());
        }

        Result await() {
            try {
                if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError("still running: " + stdout() + stderr());
                }
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
            return new Result(
                    process.exitValue(), stdout(), stderr(), Duration.ofNanos(System.nanoTime() - startNanos));
        }
    }

    /** Runs a command to its end. */
    Result run(String... arguments) {
        return start(arguments).await();
    }

    /** Runs a command with this standard input. */
    Result runWithInput(byte[] input, String... arguments) throws IOException {
        Path file = Files.write(directory.resolve("input-" + count++), input);
        return start(ProcessBuilder.Redirect.from(file.toFile()), arguments).await();
    }

    /** Runs a command with these variables too. */
    Result runWith(Map<String, String> environment, String... arguments) {
        return start(ProcessBuilder.Redirect.from(new File("/dev/null")), environment, arguments)
                .await();
    }

    Running start(String... arguments) {
        return start(ProcessBuilder.Redirect.from(new File("/dev/null")), arguments);
    }

    /** Starts a command with these variables too. */
    Running startWith(Map<String, String> environment, String... arguments) {
        return start(ProcessBuilder.Redirect.from(new File("/dev/null")), environment, arguments);
    }

    Running start(ProcessBuilder.Redirect input, String... arguments) {
        return start(input, Map.of(), arguments);
    }

    private Running start(ProcessBuilder.Redirect input, Map<String, String> environment, String... arguments) {
        return launch(input, environment, command(arguments));
    }

    /** Has bash run a command, {@code "$@"}, as the script says; the script is in the test's directory. */
    Running startInScript(String script, String... arguments) {
        List<String> line = new ArrayList<>(List.of("bash", "-c", "set -o pipefail; " + script, "bash"));
        line.addAll(command(arguments));
        return launch(ProcessBuilder.Redirect.from(new File("/dev/null")), Map.of(), line);
    }

    private Running launch(ProcessBuilder.Redirect input, Map<String, String> environment, List<String> line) {
        int number = count++;
        Path out = directory.resolve("out-" + number);
        Path err = directory.resolve("err-" + number);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectInput(input)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().put("HOLDFAST_ENDPOINTS", endpoints);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        try {
            Running running = new Running(builder.start(), out, err, System.nanoTime());
            started.add(running);
            return running;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** With no signal ignored, also when the build itself runs in the background of a script, which ignores INT and QUIT. */
    private static List<String> command(String... arguments) {
        Path lib = Path.of("target", "holdfast", "lib").toAbsolutePath();
        List<String> line = new ArrayList<>(List.of(
                "env",
                "--default-signal",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("holdfast.it.classpath", lib + "/*"),
                "io.holdfast.cli.Main"));
        line.addAll(List.of(arguments));
        return line;
    }

    static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, "--", Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Waits for a condition; fails with {@code what} if it does not come true in time. */
    static void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    static void await(String what, Duration most, BooleanSupplier condition) {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > most.toNanos()) {
                throw new AssertionError("not within " + most + ": " + what);
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        }
    }

    static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    /** Whether a process with this id runs; a zombie does not. */
    static boolean isRunning(long pid) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        return !stat.isEmpty() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    }

    @Override
    public void close() {
        for (Running running : started) {
            if (running.process().isAlive()) {
                running.signal("CONT");
                running.process().destroyForcibly();
            }
        }
        for (Running running : started) {
            try {
                running.process().waitFor(10, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
