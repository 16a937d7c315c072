package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A load JVM: of its own, so that neither its garbage nor its threads are the servers' or another service's.
 *
 * <p><b>Thread:</b> one.
 */
final class LoadProcess implements AutoCloseable {
    private final ServerProcess process;
    private final BufferedReader answers;
    private final Writer requests;

    /** One that drives a lock service by its driver. */
    LoadProcess(String classPath, String driver, String endpoints, Path log) {
        this("load of " + driver, java(classPath, 1024, "io.holdfast.bench.load.LoadMain", driver, endpoints), log);
    }

    /** @param command as {@link #java} makes it */
    LoadProcess(String name, List<String> command, Path log) {
        process = new ServerProcess(name, command, Map.of(), log);
        Process piped = process.startPiped();
        answers = piped.inputReader();
        requests = piped.outputWriter();
    }

    /** The command for a load JVM of another kind. */
    static List<String> java(String classPath, int heapMegabytes, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-Xss256k",
                "-cp",
                classPath,
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    ServerProcess process() {
        return process;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Has a workload done and waits for its figures.
     *
     * @throws IllegalStateException if it fails, saying why and where its log is
     */
    Fields request(Fields request) {
        try {
            requests.write(request + "\n");
            requests.flush();
            String answer = answers.readLine();
            if (answer == null || !answer.startsWith("ok")) {
                String what = answer == null
                        ? "ended while it did: " + request.verb()
                        : answer.substring(answer.indexOf(' ') + 1);
                throw new IllegalStateException(process.name() + ": " + what + "; its log is " + process.log());
            }
            return Fields.parse(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(process.name() + " is gone; its log is " + process.log(), e);
        }
    }

    @Override
    public void close() {
        try {
            requests.close();
            process.awaitEnd();
        } catch (IOException gone) {
            System.err.println("load JVM: " + gone.getMessage());
        }
        process.end();
    }
}
