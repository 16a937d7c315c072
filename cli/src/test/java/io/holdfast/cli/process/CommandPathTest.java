package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands are looked up as a shell does. */
final class CommandPathTest {
    @TempDir
    Path directory;

    private Path first;
    private Path second;
    private String path;

    @BeforeEach
    void makeFiles() throws IOException {
        first = Files.createDirectory(directory.resolve("first"));
        second = Files.createDirectory(directory.resolve("second"));
        Files.createFile(first.resolve("plain"));
        Files.createDirectory(first.resolve("tool"));
        Files.createFile(second.resolve("tool")).toFile().setExecutable(true);
        Files.createFile(second.resolve("plain")).toFile().setExecutable(true);
        path = first + ":" + second;
    }

    @Test
    void theFirstExecutableOnThePathIsFound() {
        assertThat(CommandPath.find("tool", path)).contains(second.resolve("tool"));
        assertThat(CommandPath.find("plain", path)).contains(second.resolve("plain"));
    }

    @Test
    void oneThatIsNotExecutableIsFoundIfThereIsNoOther() {
        assertThat(CommandPath.find("plain", first.toString())).contains(first.resolve("plain"));
        assertThat(CommandPath.isExecutable(first.resolve("plain"))).isFalse();
    }

    @Test
    void aNameWithASlashIsNoMatterOfThePath() {
        assertThat(CommandPath.find(first.resolve("tool").toString(), path)).contains(first.resolve("tool"));
        assertThat(CommandPath.isExecutable(first.resolve("tool"))).isFalse();
        assertThat(CommandPath.find("./tool", path)).isEmpty();
    }

    @Test
    void nothingIsFoundUnderNoName() {
        assertThat(CommandPath.find("", path)).isEmpty();
        assertThat(CommandPath.find("other", path)).isEmpty();
        assertThat(CommandPath.find("bad\0name", path)).isEmpty();
    }
}
