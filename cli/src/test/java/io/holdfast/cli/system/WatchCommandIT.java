package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast watch} beside other processes. */
final class WatchCommandIT {
    @TempDir
    static Path directory;

    private static Holdfast holdfast;

    @BeforeAll
    static void startCell() {
        holdfast = DevProcess.cellIn(directory);
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    private static Running watching(String... arguments) throws IOException, InterruptedException {
        Running running = holdfast.start(arguments);
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!Files.readString(running.err()).contains("watching ")) {
            assertThat(System.nanoTime()).isLessThan(end);
            assertThat(running.process().isAlive()).isTrue();
            Thread.sleep(20);
        }
        return running;
    }

    private static void run(String... arguments) {
        assertThat(holdfast.run(arguments).status()).isZero();
    }

    @Test
    void changesFromTheStartOnAsManyAsAskedFor() throws Exception {
        run("put", "/w/a", "before");
        Running watch = watching("watch", "/w/a", "--count", "3");
        run("put", "/w/a", "one");
        untilPrinted(watch, "one");
        run("rm", "/w/a");
        untilPrinted(watch, "DELETE");
        run("put", "/w/a", "two");
        Result result = watch.await();
        assertThat(result.status()).isZero();
        assertThat(result.out()).isEqualTo("PUT\n/w/a\none\nDELETE\n/w/a\n\nPUT\n/w/a\ntwo\n");
    }

    private static void untilPrinted(Running running, String text) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!Files.readString(running.out()).contains(text)) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(20);
        }
    }

    @Test
    void oneDocumentOnALineInJson() throws Exception {
        Running watch = watching("watch", "/w/json", "--count=1", "--output", "json");
        run("put", "/w/json", "x");
        Result result = watch.await();
        JsonNode document = new ObjectMapper().readTree(result.out());
        assertThat(document.get("type").asText()).isEqualTo("PUT");
        assertThat(document.get("path").asText()).isEqualTo("/w/json");
        assertThat(document.get("value").asText()).isEqualTo("x");
        assertThat(document.get("version").asLong()).isZero();
    }

    @Test
    void whatIsWrongIsSaidAtOnce() {
        assertThat(holdfast.run("watch").status()).isEqualTo(2);
        assertThat(holdfast.run("watch", "/a", "--count", "0").status()).isEqualTo(2);
        assertThat(holdfast.run("watch", "no-path").status()).isEqualTo(1);
        Result unreachable = holdfast.run("watch", "/a", "--endpoints", "127.0.0.1:1", "--call-timeout", "1s");
        assertThat(unreachable.status()).isEqualTo(3);
        assertThat(unreachable.out()).isEmpty();
    }
}
