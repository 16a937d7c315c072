package io.holdfast.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scripted scenarios: {@code src/test/golden/*.txt} hold commands ({@code > …}), each followed by the output it must give.
 * {@code -Dgolden.update=true} writes what they give now.
 */
class GoldenTest {
    private static final Path DIRECTORY = Path.of("src", "test", "golden");

    static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void givesTheExpectedOutput(Path script) throws IOException {
        String expected = Files.readString(script);
        StringBuilder actual = new StringBuilder();
        GoldenCell cell = new GoldenCell();
        for (String line : expected.lines().toList()) {
            if (line.startsWith(">")) {
                actual.append(line)
                        .append('\n')
                        .append(cell.run(line.substring(1).strip()));
            } else if (line.startsWith("#") || line.isBlank()) {
                actual.append(line).append('\n');
            }
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(script, actual.toString());
            return;
        }
        assertThat(actual.toString()).isEqualTo(expected);
    }
}
