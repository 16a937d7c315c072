package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryDiskTest extends DiskContract {
    @Override
    protected Disk emptyDisk() {
        return new MemoryDisk();
    }

    @Test
    void aCrashLosesOnlyWhatWasNotSynced() throws IOException {
        Set<Integer> sizes = new HashSet<>();
        Set<Boolean> namesKept = new HashSet<>();
        for (int seed = 0; seed < 200; seed++) {
            MemoryDisk disk = new MemoryDisk();
            DiskFile file = disk.create("a");
            file.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            file.sync();
            disk.syncDirectory("");
            file.append(ByteBuffer.wrap(new byte[] {4, 5, 6}));
            disk.create("b").close();
            disk.crash(new Random(seed * 7_919L));
            assertThat(disk.content("a")).startsWith(1, 2, 3);
            sizes.add(disk.content("a").length);
            namesKept.add(disk.exists("b"));
        }
        assertThat(sizes).contains(3, 4, 5, 6);
        assertThat(namesKept).contains(true, false);
    }
}
