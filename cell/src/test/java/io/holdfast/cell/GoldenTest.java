package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stories in {@code src/test/golden/*.txt}: commands, a line {@code ----}, what comes of them, an empty line. Comments begin
 * with {@code #}. {@link Story} explains the commands. {@code -Dholdfast.golden.rewrite=true} writes what came of them into
 * the files, to be read with {@code git diff}.
 */
final class GoldenTest {
    private static final Path FOLDER = Path.of("src/test/golden");
    private static final boolean REWRITE = Boolean.getBoolean("holdfast.golden.rewrite");

    static List<String> stories() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void storiesAreFound() throws IOException {
        assertThat(stories()).hasSizeGreaterThan(4);
    }

    @ParameterizedTest
    @MethodSource("stories")
    void comesOutAsWritten(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        String told = tell(Files.readAllLines(file));
        if (REWRITE) {
            Files.writeString(file, told);
        }
        assertThat(told).isEqualTo(Files.readString(file));
    }

    /** The file with the output that its commands really have. */
    private static String tell(List<String> lines) {
        Story story = new Story();
        List<String> told = new ArrayList<>();
        List<String> output = new ArrayList<>();
        boolean inOutput = false;
        for (String line : lines) {
            if (inOutput && !line.isEmpty()) {
                continue;
            }
            if (line.equals("----")) {
                inOutput = true;
                told.add(line);
                told.addAll(output);
                output.clear();
                continue;
            }
            inOutput = false;
            told.add(line);
            if (!line.isEmpty() && !line.startsWith("#")) {
                output.addAll(story.tell(line));
            }
        }
        return String.join("\n", told) + "\n";
    }
}
