package io.holdfast.client.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The guide shows code that compiles. Each of its Java blocks follows a line {@code <!-- sample: name -->} and equals the sample of that
 * name. {@code -Dholdfast.guide.rewrite=true} writes the samples into the guide.
 */
final class GuideTest {
    private static final Path GUIDE = Path.of("../docs/client-guide.md");
    private static final Path SAMPLES = Path.of("src/test/java/io/holdfast/client/guide/GuideSamples.java");
    private static final boolean REWRITE = Boolean.getBoolean("holdfast.guide.rewrite");

    @Test
    void everyBlockOfTheGuideIsASampleThatCompiles() throws IOException {
        Map<String, String> samples = samples(Files.readAllLines(SAMPLES));
        assertThat(samples).hasSizeGreaterThan(10);
        if (REWRITE) {
            Files.writeString(GUIDE, rewritten(Files.readAllLines(GUIDE), samples));
        }
        Map<String, String> blocks = blocks(Files.readAllLines(GUIDE));
        assertThat(blocks).isEqualTo(samples);
    }

    /** What stands between the marks, without the indentation of its first line. */
    private static Map<String, String> samples(List<String> lines) {
        Map<String, String> samples = new LinkedHashMap<>();
        List<String> sample = new ArrayList<>();
        String name = "";
        for (String line : lines) {
            String text = line.strip();
            if (text.equals("// [end]")) {
                int indent =
                        sample.get(0).length() - sample.get(0).stripLeading().length();
                String code = sample.stream()
                        .map(one -> one.isBlank() ? "" : one.substring(indent))
                        .collect(Collectors.joining("\n"));
                assertThat(samples.put(name, code))
                        .as("sample %s is there once", name)
                        .isNull();
                name = "";
            } else if (text.startsWith("// [")) {
                name = text.substring(4, text.length() - 1);
                sample.clear();
            } else if (!name.isEmpty()) {
                sample.add(line);
            }
        }
        return samples;
    }

    private static Map<String, String> blocks(List<String> lines) {
        Map<String, String> blocks = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("```java")) {
                assertThat(lines.get(i - 1)).as("line %d of the guide", i).startsWith("<!-- sample: ");
                int end = i + 1;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                blocks.put(nameIn(lines.get(i - 1)), String.join("\n", lines.subList(i + 1, end)));
            }
        }
        return blocks;
    }

    private static String nameIn(String mark) {
        return mark.substring("<!-- sample: ".length(), mark.length() - " -->".length());
    }

    private static String rewritten(List<String> lines, Map<String, String> samples) {
        List<String> out = new ArrayList<>();
        boolean skipping = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean opens = line.startsWith("```java");
            skipping &= !line.equals("```");
            if (!skipping) {
                out.add(line);
            }
            if (opens) {
                skipping = true;
                out.add(samples.getOrDefault(nameIn(lines.get(i - 1)), "no such sample"));
            }
        }
        return String.join("\n", out) + "\n";
    }
}
