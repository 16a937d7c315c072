package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/http-api.md}, run as they stand there, where their language is installed. */
final class HttpExamplesIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "http-api.md");
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    static Path directory;

    private static GatewayFixture gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = new GatewayFixture(directory.resolve("cell"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void curl() throws Exception {
        Assumptions.assumeTrue(isThere("curl", "--version"));
        assertThat(run("sh", "example.sh", "sh", "-eu"))
                .contains("\"path\":\"/config/flag\",\"version\":0", "on", "412", "{\"leaseMillis\":10000}");
    }

    @Test
    void python() throws Exception {
        Assumptions.assumeTrue(isThere("python3", "--version"));
        assertThat(run("python", "example.py", "python3")).contains("counter 1", "token ");
    }

    @Test
    void node() throws Exception {
        Assumptions.assumeTrue(isThere("node", "--version"));
        assertThat(run("javascript", "example.js", "node")).contains("version \"0\"", "token ");
    }

    @Test
    void go() throws Exception {
        Assumptions.assumeTrue(isThere("go", "version"));
        assertThat(run("go", "example.go", "go", "run")).contains("version \"0\"", "token ");
    }

    private static boolean isThere(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notThere) {
            return false;
        }
    }

    private static String run(String language, String file, String... command) throws Exception {
        Path source = directory.resolve(file);
        Files.writeString(source, example(language));
        List<String> all = new ArrayList<>(List.of(command));
        all.add(source.toString());
        Path output = directory.resolve(file + ".out");
        ProcessBuilder builder =
                new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment()
                .put("HOLDFAST_HTTP", "http://" + gateway.cell.settings().http());
        Process process = builder.start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    private static String example(String language) throws IOException {
        String text = Files.readString(DOCUMENT, StandardCharsets.UTF_8);
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }
}
