package io.holdfast.archtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be read in one sitting hides its faults: 300 lines is the aim, 600 the limit. */
final class FileLengthTest {
    private static final int AIM_LINES = 300;
    private static final int LIMIT_LINES = 600;

    @Test
    void noProductionFileIsOverTheLimit() {
        SourceTree sources = SourceTree.ofThisBuild();

        longerThan(AIM_LINES, sources)
                .forEach((file, lines) -> System.out.println(file + ": " + lines + " lines (aim: " + AIM_LINES + ")"));

        assertThat(longerThan(LIMIT_LINES, sources))
                .as("production files over %d lines", LIMIT_LINES)
                .isEmpty();
    }

    @Test
    void aFileOneLineOverTheLimitIsFoundAndOneAtTheLimitIsNot(@TempDir Path root) throws IOException {
        Path atLimit = plant(root, "raft/src/main/java/io/holdfast/raft/AtLimit.java", LIMIT_LINES);
        Path overLimit = plant(root, "integrations/spring/src/main/java/io/holdfast/target/Over.java", LIMIT_LINES + 1);
        plant(root, "raft/src/test/java/io/holdfast/raft/LongTest.java", LIMIT_LINES + 1);
        plant(root, "protocol/target/generated-sources/src/main/java/Generated.java", LIMIT_LINES + 1);

        SourceTree sources = new SourceTree(root);

        assertThat(sources.mainFileLines()).containsOnlyKeys(atLimit, overLimit);
        assertThat(sources.mainClassNames())
                .containsExactlyInAnyOrder("io.holdfast.raft.AtLimit", "io.holdfast.target.Over");
        assertThat(longerThan(LIMIT_LINES, sources)).containsExactly(Map.entry(overLimit, LIMIT_LINES + 1));
        assertThat(longerThan(AIM_LINES, sources)).containsOnlyKeys(atLimit, overLimit);
    }

    private static Map<Path, Integer> longerThan(int lines, SourceTree sources) {
        Map<Path, Integer> found = new TreeMap<>(sources.mainFileLines());
        found.values().removeIf(actual -> actual <= lines);
        return found;
    }

    private static Path plant(Path root, String name, int lines) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        List<String> content = Collections.nCopies(lines, "// line");
        Files.write(file, content);
        return root.relativize(file);
    }
}
