package io.holdfast.simulation.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Rng;
import io.holdfast.storage.Disk;
import io.holdfast.storage.DiskContract;
import io.holdfast.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The simulated disk is a disk; and it forgets what it may forget, nothing else. */
class SimDiskTest extends DiskContract {
    @Override
    protected Disk emptyDisk() {
        return new SimDisk("d", new Rng(1), new Coverage());
    }

    @Test
    void syncedBytesSurviveAndOfTheRestAnyPrefixMay() throws IOException {
        TreeSet<Long> sizes = new TreeSet<>();
        for (int seed = 0; seed < 200; seed++) {
            SimDisk disk = new SimDisk("d", new Rng(seed), new Coverage());
            DiskFile file = disk.create("a");
            disk.syncDirectory("");
            file.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            file.sync();
            file.append(ByteBuffer.wrap(new byte[] {4, 5, 6, 7}));
            disk.crash();
            DiskFile found = disk.open("a");
            ByteBuffer bytes = ByteBuffer.allocate(3);
            found.read(0, bytes);
            assertThat(bytes.array()).containsExactly(1, 2, 3);
            sizes.add(found.sizeBytes());
        }
        assertThat(sizes).containsExactly(3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void aNameIsLostOrKeptUntilItsDirectoryIsSynced() throws IOException {
        TreeSet<Boolean> kept = new TreeSet<>();
        for (int seed = 0; seed < 50; seed++) {
            SimDisk disk = new SimDisk("d", new Rng(seed), new Coverage());
            disk.create("safe").close();
            disk.syncDirectory("");
            disk.create("new").close();
            disk.crash();
            assertThat(disk.exists("safe")).isTrue();
            kept.add(disk.exists("new"));
        }
        assertThat(kept).containsExactly(false, true);
    }
}
