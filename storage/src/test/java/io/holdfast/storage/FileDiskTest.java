package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDiskTest extends DiskContract {
    @TempDir
    private Path directory;

    @Override
    protected Disk emptyDisk() throws IOException {
        return new FileDisk(directory.resolve("made/on/the/way"));
    }

    @Test
    void staysInItsDirectory() throws IOException {
        Disk disk = new FileDisk(directory.resolve("inside"));
        assertThatThrownBy(() -> disk.create("../outside")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void describesWhereAnOperatorFindsIt() throws IOException {
        assertThat(new FileDisk(directory).describe("log/1"))
                .isEqualTo(directory.resolve("log/1").toAbsolutePath().toString());
    }
}
