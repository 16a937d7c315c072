package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    @TempDir
    private Path directory;

    @Test
    void keepsASecondReplicaOfTheProcessOut() throws IOException {
        try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> DirectoryLock.acquire(directory.resolve("../" + directory.getFileName())))
                    .isInstanceOf(ForeignDataException.class)
                    .hasMessageContaining(directory.toRealPath().toString())
                    .hasMessageContaining("in use");
        }
        DirectoryLock.acquire(directory).close();
    }

    @Test
    void keepsAnotherProcessOutAlsoAfterARefusalInThisOne() throws Exception {
        try (DirectoryLock lock = DirectoryLock.acquire(directory)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> DirectoryLock.acquire(directory)).isInstanceOf(ForeignDataException.class);
            assertThat(tryInAnotherProcess()).contains("in use by another process");
        }
        assertThat(tryInAnotherProcess()).contains("acquired");
    }

    private String tryInAnotherProcess() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Contender.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return said;
    }

    /** Says whether it got the lock. */
    static final class Contender {
        public static void main(String[] arguments) throws IOException {
            try (DirectoryLock lock = DirectoryLock.acquire(Path.of(arguments[0]))) {
                System.out.println("acquired " + lock);
            } catch (ForeignDataException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }
}
