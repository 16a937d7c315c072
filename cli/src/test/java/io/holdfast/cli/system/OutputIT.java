package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Standard output that fails, whose reader has gone, or reads slowly. */
final class OutputIT {
    private static final String FULL = "exec \"$@\" > /dev/full";
    private static final String NOT_WRITTEN = "holdfast: standard output cannot be written";

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

    @Test
    void whatIsNotWrittenIsNoSuccess() {
        assertThat(holdfast.run("put", "/o/x", "on").status()).isZero();
        for (String[] command : new String[][] {{"get", "/o/x"}, {"ls", "/o"}, {"locks"}, {"--help"}, {"version"}}) {
            Result full = holdfast.startInScript(FULL, command).await();
            assertThat(full.status()).as(String.join(" ", command)).isEqualTo(1);
            assertThat(full.err()).startsWith(NOT_WRITTEN);
        }
    }

    /** As a program that SIGPIPE ends: 141, and not a word. */
    @Test
    void aWatchEndsWithItsReader() {
        Running watch = holdfast.startInScript("\"$@\" | head -n 1", "watch", "/o/piped", "-q");
        endsWithItsReader(watch, () -> holdfast.run("put", "/o/piped", "x"));
    }

    @Test
    void soDoesTheWatchOfAnElection() {
        Running watch = holdfast.startInScript("\"$@\" | head -n 1", "leader", "/o/election", "--watch", "-q");
        endsWithItsReader(watch, () -> holdfast.run("elect", "/o/election", "--value", "v", "--", "true"));
    }

    private static void endsWithItsReader(Running watch, Runnable change) {
        for (int i = 0; watch.process().isAlive() && i < 20; i++) {
            change.run();
        }
        assertThat(watch.process().isAlive()).isFalse();
        Result ended = watch.await();
        assertThat(ended.out().lines()).hasSize(1);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.status()).isEqualTo(141);
    }

    @Test
    void aHoldThatNobodyIsToldOfIsGivenBack() {
        Result full = holdfast.startInScript(FULL, "lock", "/o/held").await();
        assertThat(full.status()).isEqualTo(1);
        assertThat(full.err()).startsWith(NOT_WRITTEN);
        assertThat(holdfast.run("lock", "/o/held", "--try", "--", "true").status())
                .isZero();
    }

    @Test
    void theOutputOfACommandIsItsOwnAffair() {
        Running lock =
                holdfast.startInScript(FULL, "lock", "/o/command", "--", "sh", "-c", "echo x 2>/dev/null; exit 7");
        assertThat(lock.await().status()).isEqualTo(7);
    }

    @Test
    void aServerServesOn() {
        int port = DevProcess.freePorts();
        Running dev = holdfast.startInScript(
                FULL, "dev", "--port", Integer.toString(port), "--data", "full", "--replicas", "1");
        Holdfast.await(
                "serves",
                () -> dev.requireRunning()
                        && holdfast.run("status", "--endpoints", "127.0.0.1:" + port)
                                        .status()
                                == 0);
        assertThat(dev.requireRunning()).isTrue();
    }

    /** R8.4: what a slow reader has not read yet is kept once, not as often as it changed. */
    @Test
    void aSlowReaderGetsTheNewestStateSoon() throws IOException {
        Running watch =
                holdfast.startInScript("\"$@\" | (until [ -e go ]; do sleep 0.1; done; cat)", "watch", "/o/slow");
        Holdfast.await("watching", () -> watch.stderr().contains("watching"));
        byte[] value = "x".repeat(65_000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 12; i++) {
            value[0] = (byte) ('a' + i);
            assertThat(holdfast.runWithInput(value, "put", "/o/slow", "-").status())
                    .isZero();
        }
        Files.createFile(directory.resolve("go"));
        Holdfast.await(
                "the newest", Duration.ofSeconds(60), () -> watch.stdout().contains("\nlxx"));
        assertThat(watch.stdout().lines().filter("PUT"::equals).count()).isBetween(2L, 6L);
    }
}
