package io.holdfast.client.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock that nobody can set, as Linux tells it. */
final class SystemClockTest {
    @TempDir
    private Path directory;

    @Test
    void readsTheTimeSinceTheStart() throws IOException {
        assertThat(clockOver("350735.47 234388.90\n").bootMillis()).isEqualTo(350_735_470L);
        assertThat(clockOver("0.05 0.00").bootMillis()).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", ".12 3", "12.3", "x.12 3", "12.x2"})
    void anythingElseMeansThatThereIsNone(String text) throws IOException {
        assertThat(clockOver(text).bootMillis()).isEqualTo(ClientClock.NO_BOOT_CLOCK);
    }

    @Test
    void noFileMeansThatThereIsNone() {
        String missing = directory.resolve("missing").toString();
        assertThat(new SystemClock(missing).bootMillis()).isEqualTo(ClientClock.NO_BOOT_CLOCK);
    }

    @Test
    void anInterruptedThreadCanReadIt() {
        assumeTrue(Files.isReadable(Path.of("/proc/uptime")));
        SystemClock clock = new SystemClock();
        Thread.currentThread().interrupt();
        try {
            long first = clock.bootMillis();
            assertThat(first).isPositive();
            assertThat(clock.bootMillis()).isBetween(first, first + 60_000);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private SystemClock clockOver(String text) throws IOException {
        Path file = directory.resolve("uptime");
        Files.writeString(file, text);
        return new SystemClock(file.toString());
    }
}
