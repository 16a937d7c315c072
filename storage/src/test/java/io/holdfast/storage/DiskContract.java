package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Disk} does as long as nothing crashes; the real one and all simulated ones pass it. */
public abstract class DiskContract {
    private Disk disk;

    /** An empty disk. */
    protected abstract Disk emptyDisk() throws IOException;

    @BeforeEach
    void makeDisk() throws IOException {
        disk = emptyDisk();
    }

    @Test
    void appendsAndReadsBack() throws IOException {
        try (DiskFile file = disk.create("a")) {
            file.append(bytes("hello "));
            file.append(bytes("world"));
            file.sync();
            assertThat(file.sizeBytes()).isEqualTo(11);
            assertThat(read(file, 0, 11)).isEqualTo("hello world");
            assertThat(read(file, 4, 3)).isEqualTo("o w");
        }
    }

    @Test
    void appendTakesOnlyWhatRemains() throws IOException {
        try (DiskFile file = disk.create("a")) {
            ByteBuffer middle = bytes("0123456789");
            middle.position(3).limit(6);
            file.append(middle);
            assertThat(middle.hasRemaining()).isFalse();
            assertThat(middle.limit()).isEqualTo(6);
            assertThat(read(file, 0, 10)).isEqualTo("345");
        }
    }

    @Test
    void readsLessAtTheEndAndNothingBehindIt() throws IOException {
        try (DiskFile file = disk.create("a")) {
            file.append(bytes("abc"));
            assertThat(read(file, 1, 10)).isEqualTo("bc");
            assertThat(read(file, 3, 10)).isEmpty();
            assertThat(read(file, 1_000, 10)).isEmpty();
        }
    }

    @Test
    void takesLargeWritesWhole() throws IOException {
        byte[] large = new byte[3_000_001];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31);
        }
        try (DiskFile file = disk.create("a")) {
            file.append(ByteBuffer.wrap(large));
            ByteBuffer found = ByteBuffer.allocate(large.length);
            assertThat(file.read(0, found)).isEqualTo(large.length);
            assertThat(found.array()).isEqualTo(large);
        }
    }

    @Test
    void opensForAppendingAtTheEnd() throws IOException {
        try (DiskFile file = disk.create("a")) {
            file.append(bytes("one"));
            file.sync();
        }
        try (DiskFile file = disk.open("a")) {
            assertThat(file.sizeBytes()).isEqualTo(3);
            file.append(bytes("two"));
            assertThat(read(file, 0, 10)).isEqualTo("onetwo");
        }
    }

    @Test
    void truncatesAndGoesOnFromThere() throws IOException {
        try (DiskFile file = disk.create("a")) {
            file.append(bytes("0123456789"));
            file.truncate(4);
            assertThat(file.sizeBytes()).isEqualTo(4);
            file.append(bytes("x"));
            assertThat(read(file, 0, 10)).isEqualTo("0123x");
        }
    }

    @Test
    void createFailsOnWhatExistsAndOpenOnWhatDoesNot() throws IOException {
        disk.create("a").close();
        assertThatThrownBy(() -> disk.create("a")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.open("b")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.create("missing/a")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.rename("b", "c")).isInstanceOf(IOException.class);
    }

    @Test
    void listsFilesSortedWithoutDirectories() throws IOException {
        disk.createDirectories("d/sub");
        disk.create("d/c").close();
        disk.create("d/a").close();
        disk.create("d/b").close();
        disk.create("d/sub/z").close();
        disk.create("top").close();
        assertThat(disk.list("d")).containsExactly("a", "b", "c");
        assertThat(disk.list("")).containsExactly("top");
        assertThat(disk.list("d/sub")).containsExactly("z");
        assertThat(disk.list("nowhere")).isEmpty();
    }

    @Test
    void renamesOverWhatExists() throws IOException {
        write("a", "new");
        write("b", "old");
        disk.rename("a", "b");
        assertThat(disk.exists("a")).isFalse();
        try (DiskFile file = disk.open("b")) {
            assertThat(read(file, 0, 10)).isEqualTo("new");
        }
    }

    @Test
    void deletesAndDoesNotMindIfItIsGone() throws IOException {
        disk.create("a").close();
        assertThat(disk.exists("a")).isTrue();
        disk.delete("a");
        assertThat(disk.exists("a")).isFalse();
        disk.delete("a");
    }

    @Test
    void createsAndSyncsDirectories() throws IOException {
        disk.createDirectories("x/y");
        disk.createDirectories("x/y");
        disk.create("x/y/a").close();
        disk.syncDirectory("x/y");
        disk.syncDirectory("x");
        disk.syncDirectory("");
        assertThat(disk.exists("x/y/a")).isTrue();
        assertThat(disk.describe("x/y/a")).endsWith("x/y/a");
    }

    private void write(String path, String text) throws IOException {
        try (DiskFile file = disk.create(path)) {
            file.append(bytes(text));
            file.sync();
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(DiskFile file, long position, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        int read = file.read(position, into);
        assertThat(into.position()).isEqualTo(read);
        return new String(into.array(), 0, read, StandardCharsets.UTF_8);
    }
}
