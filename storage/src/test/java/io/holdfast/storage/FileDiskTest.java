package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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

    /** As a user with another language hears of it. */
    @Test
    void aFullDiskIsKnownByItsRoomNotByTheWordsOfTheSystem() {
        IOException german = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");
        assertThat(DiskFullException.isReasonOf(german)).isFalse();
        assertThat(DiskFullException.isReasonOf(NoRoomException.orItself(german, 5_000, () -> 4_096)))
                .isTrue();
        assertThat(NoRoomException.orItself(german, 5_000, () -> 1L << 30)).isSameAs(german);
        assertThat(NoRoomException.orItself(german, 5_000, () -> {
                    throw new IOException("gone");
                }))
                .isSameAs(german);
        IOException exists = new FileAlreadyExistsException("a");
        assertThat(NoRoomException.orItself(exists, 0, () -> 0)).isSameAs(exists);
    }

    @Test
    void describesWhereAnOperatorFindsIt() throws IOException {
        assertThat(new FileDisk(directory).describe("log/1"))
                .isEqualTo(directory.resolve("log/1").toAbsolutePath().toString());
    }
}
