package io.holdfast.archtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The hand-written production sources of all modules below one directory. */
final class SourceTree {
    private static final Path MAIN_JAVA = Path.of("src", "main", "java");

    private final Path root;

    SourceTree(Path root) {
        this.root = root;
    }

    /** The tree that this test runs in: the nearest directory upwards that holds {@code .mvn}. */
    static SourceTree ofThisBuild() {
        Path start = Path.of("").toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve(".mvn"))) {
                return new SourceTree(directory);
            }
        }
        throw new IllegalStateException("no directory with .mvn at or above " + start);
    }

    /** Fully qualified names of the top-level classes, without package and module descriptors. */
    List<String> mainClassNames() {
        List<String> names = new ArrayList<>();
        for (Path file : mainFiles()) {
            Path inPackage = file.subpath(indexAfterMainJava(file), file.getNameCount());
            String name = inPackage.toString().replace(file.getFileSystem().getSeparator(), ".");
            if (!name.endsWith("-info.java")) {
                names.add(name.substring(0, name.length() - ".java".length()));
            }
        }
        return names;
    }

    /** Lines of each file, by path below the root. */
    Map<Path, Integer> mainFileLines() {
        Map<Path, Integer> lines = new TreeMap<>();
        for (Path file : mainFiles()) {
            try {
                lines.put(file, Files.readAllLines(root.resolve(file)).size());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return lines;
    }

    /** Paths below the root, sorted. */
    private List<Path> mainFiles() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean skipped = Set.of("target", "node_modules")
                                    .contains(directory.getFileName().toString())
                            || (!directory.equals(root)
                                    && directory.getFileName().toString().startsWith("."));
                    return skipped && !isInMainJava(root.relativize(directory))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    Path relative = root.relativize(file);
                    if (relative.toString().endsWith(".java") && isInMainJava(relative)) {
                        found.add(relative);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(null);
        return found;
    }

    private static boolean isInMainJava(Path relative) {
        return indexAfterMainJava(relative) >= 0;
    }

    private static int indexAfterMainJava(Path relative) {
        int length = MAIN_JAVA.getNameCount();
        for (int end = length; end < relative.getNameCount(); end++) {
            if (relative.subpath(end - length, end).equals(MAIN_JAVA)) {
                return end;
            }
        }
        return -1;
    }
}
