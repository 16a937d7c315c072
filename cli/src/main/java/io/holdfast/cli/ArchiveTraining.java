package io.holdfast.cli;

import io.holdfast.cli.support.Console;
import io.holdfast.server.DevCell;
import io.holdfast.server.parts.StartFailedException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * What the launcher records its class data archive from: a cell in a temporary directory, and the commands run against it,
 * so that the archive holds every class that they use.
 */
final class ArchiveTraining {
    private static final int ATTEMPTS = 20;
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    private ArchiveTraining() {}

    /** Never returns; the archive is written at exit. */
    public static void main(String[] args) throws IOException {
        Path directory = Files.createTempDirectory("holdfast-archive");
        try {
            train(directory);
        } finally {
            delete(directory);
        }
        System.exit(0);
    }

    private static void train(Path directory) {
        try (DevCell cell = start(directory)) {
            String endpoints = cell.settings().client().toString();
            for (List<String> command : commands(endpoints)) {
                int status = Main.run(silent(), command.toArray(String[]::new));
                System.out.println(command + ": " + status);
            }
        }
    }

    private static List<List<String>> commands(String endpoints) {
        String at = "--endpoints=" + endpoints;
        return List.of(
                List.of("version"),
                List.of("lock", "/training", at, "--", "true"),
                List.of("elect", "/training/lead", "--value", "x", at, "--", "true"),
                List.of("put", "/training/value", "1", at),
                List.of("get", "/training/value", at),
                List.of("ls", "/", at),
                List.of("stat", "/training/value", at),
                List.of("locks", at),
                List.of("sessions", at),
                List.of("status", at, "--output=json"),
                List.of("check-token", "/training", "1", at),
                List.of("acquire", "training", "--owner", "x", at),
                List.of("renew", "training", "--owner", "x", "--token", "1", at),
                List.of("release", "training", "--owner", "x", "--token", "1", at),
                List.of("inspect", "training", at),
                List.of("rm", "/training/value", at),
                List.of("lock", "--help"),
                List.of("no-such-command"));
    }

    private static DevCell start(Path directory) {
        for (int attempt = 1; ; attempt++) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            try {
                return DevCell.start(new DevCell.Settings(directory, DevCell.DEFAULT_REPLICAS, port, 1), (m, cause) -> {
                    throw new IllegalStateException(m, cause);
                });
            } catch (StartFailedException occupied) {
                if (attempt == ATTEMPTS) {
                    throw occupied;
                }
            }
        }
    }

    private static Console silent() {
        return new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
