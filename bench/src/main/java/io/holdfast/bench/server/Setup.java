package io.holdfast.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a cluster is started with.
 *
 * @param root of the checkout
 * @param peersClassPath ZooKeeper's server
 * @param data directory of this cluster, made if it is not there
 * @param servers number of processes
 */
public record Setup(Path root, String peersClassPath, Path data, int servers) {
    Path directory(String name) {
        try {
            return Files.createDirectories(data.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
