package io.holdfast.chaos.proc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of the {@code holdfast} command.
 *
 * @param status its exit status; {@link #TOO_LONG} if it had to be killed
 * @param output standard output and errors
 */
public record CommandRun(int status, Duration took, String output) {
    public static final int TOO_LONG = -1;

    private static final String MAIN = "io.holdfast.cli.Main";

    /**
     * Runs it to its end.
     *
     * @param output file to write to; overwritten
     * @param patience after which it is killed
     */
    public static CommandRun run(Launch launch, Path output, List<String> arguments, Duration patience)
            throws InterruptedException {
        try {
            Files.deleteIfExists(output);
            long start = System.nanoTime();
            Process process = launch.start(output, MAIN, arguments);
            process.getOutputStream().close();
            boolean ended = process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            return new CommandRun(ended ? process.exitValue() : TOO_LONG, took, Files.readString(output));
        } catch (IOException failed) {
            throw new IllegalStateException("holdfast " + String.join(" ", arguments), failed);
        }
    }
}
