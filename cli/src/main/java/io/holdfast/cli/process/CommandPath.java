package io.holdfast.cli.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks a command up as a shell does. */
final class CommandPath {
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private CommandPath() {}

    /** The file to run: an executable one if there is one, else one that is there, else none. */
    static Optional<Path> find(String command, @Nullable String path) {
        try {
            return command.indexOf('/') >= 0 ? existing(Path.of(command)) : onPath(command, path);
        } catch (InvalidPathException noSuchName) {
            return Optional.empty();
        }
    }

    /** Whether it can be run: a directory cannot, although its permissions look like it. */
    static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static Optional<Path> onPath(String command, @Nullable String path) {
        Path notExecutable = null;
        for (String directory : (path == null ? DEFAULT_PATH : path).split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory.isEmpty() ? "." : directory).resolve(command);
            if (!command.isEmpty() && Files.isRegularFile(candidate)) {
                if (isExecutable(candidate)) {
                    return Optional.of(candidate);
                }
                notExecutable = notExecutable == null ? candidate : notExecutable;
            }
        }
        return Optional.ofNullable(notExecutable);
    }

    private static Optional<Path> existing(Path file) {
        return Files.exists(file) ? Optional.of(file) : Optional.empty();
    }
}
