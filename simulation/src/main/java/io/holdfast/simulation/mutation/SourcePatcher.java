package io.holdfast.simulation.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Applies a mutant's patches to the text of the real sources. */
final class SourcePatcher {
    private final Path root;

    /** @param root of the repository */
    SourcePatcher(Path root) {
        this.root = root;
    }

    /** The repository that holds the working directory. */
    static SourcePatcher here() {
        Path at = Path.of("").toAbsolutePath();
        while (at != null && !Files.isDirectory(at.resolve("raft/src/main/java"))) {
            at = at.getParent();
        }
        if (at == null) {
            throw new IllegalStateException("run this inside the repository: the sources are needed");
        }
        return new SourcePatcher(at);
    }

    /**
     * The patched files, by name.
     *
     * @throws IllegalStateException if a text does not occur exactly once: the table has to follow the sources
     */
    Map<String, String> patched(Mutant mutant) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (Mutant.Patch patch : mutant.patches()) {
            String before = files.get(patch.file());
            if (before == null) {
                before = Files.readString(root.resolve(patch.file()));
            }
            int first = before.indexOf(patch.from());
            if (first < 0 || before.indexOf(patch.from(), first + 1) >= 0) {
                throw new IllegalStateException("mutant " + mutant.name() + ": '" + patch.from()
                        + "' must occur exactly once in " + patch.file());
            }
            files.put(
                    patch.file(),
                    before.substring(0, first)
                            + patch.to()
                            + before.substring(first + patch.from().length()));
        }
        return files;
    }
}
