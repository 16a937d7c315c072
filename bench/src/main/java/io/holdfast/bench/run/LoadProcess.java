package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
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

    LoadProcess(String classPath, String driver, String endpoints, Path log) {
        process = new ServerProcess(
                "load of " + driver,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        classPath,
                        "io.holdfast.bench.load.LoadMain",
                        driver,
                        endpoints),
                Map.of(),
                log);
        Process piped = process.startPiped();
        answers = piped.inputReader();
        requests = piped.outputWriter();
    }

    long pid() {
        return process.pid();
    }

    /**
     * Has a workload done and waits for its figures.
     *
     * @throws IllegalStateException with the end of its log if it fails
     */
    Fields request(Fields request) {
        try {
            requests.write(request + "\n");
            requests.flush();
            String answer = answers.readLine();
            if (answer == null || !answer.startsWith("ok")) {
                throw new IllegalStateException(
                        request + ": " + (answer == null ? "the load JVM ended" : answer) + "\n" + process.tail());
            }
            return Fields.parse(answer);
        } catch (IOException e) {
            throw new UncheckedIOException("the load JVM is gone: " + process.tail(), e);
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
