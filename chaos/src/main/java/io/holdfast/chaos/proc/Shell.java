package io.holdfast.chaos.proc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short commands, each at most ten seconds. */
public final class Shell {
    private static final long TIMEOUT_SECONDS = 10;

    private Shell() {}

    /** A command that did not do what it was asked for. */
    public static final class CommandFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CommandFailedException(String message) {
            super(message);
        }
    }

    /** Its output, standard error included. */
    public static String run(String... command) {
        return runWithInput("", command);
    }

    public static String runWithInput(String input, String... command) {
        Result result = call(input, command);
        if (result.status != 0) {
            throw new CommandFailedException(
                    String.join(" ", command) + " ended with " + result.status + ": " + result.output.strip());
        }
        return result.output;
    }

    /** Whether it succeeded. */
    public static boolean succeeds(String... command) {
        return call("", command).status == 0;
    }

    /** Sends a signal to all of them at once; to those that are gone nothing happens. */
    public static void signal(String name, List<Long> pids) {
        if (!pids.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            pids.forEach(pid -> command.add(Long.toString(pid)));
            call("", command.toArray(String[]::new));
        }
    }

    private record Result(int status, String output) {}

    private static Result call(String input, String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, Arrays.toString(command) + " took more than " + TIMEOUT_SECONDS + " s");
            }
            try (InputStream out = process.getInputStream()) {
                return new Result(process.exitValue(), new String(out.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted: " + Arrays.toString(command));
        }
    }
}
