package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.Membership;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FileSnapshotStoreTest {
    private static final CellId CELL = new CellId("shard-07");
    private static final int[] SIZES = {0, 1, 65_535, 65_536, 65_537, 300_000};

    private final MemoryDisk disk = new MemoryDisk();
    private final FileSnapshotStore store = new FileSnapshotStore(disk, CELL, "x");

    private static SnapshotMeta meta(long index) {
        TreeSet<ReplicaId> learners = new TreeSet<>(List.of(new ReplicaId("r9@z")));
        TreeSet<ReplicaId> voters = new TreeSet<>(List.of(new ReplicaId("r1@x"), new ReplicaId("r2@y")));
        return new SnapshotMeta(index, 4, new Membership(voters, learners));
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    private void take(SnapshotMeta meta, byte[] content) throws IOException {
        try (SnapshotStore.Writer writer = store.begin(meta)) {
            writer.write(content, 0, content.length);
            writer.commit();
        }
    }

    private String path(long index) {
        return disk.paths().stream()
                .filter(path -> path.endsWith(String.format("snap-%020d-%020d.snap", index, 4)))
                .findFirst()
                .orElseThrow();
    }

    private FileSnapshotStore reopened() {
        return new FileSnapshotStore(disk, CELL, "x");
    }

    @Test
    void givesBackWhatWasWritten() throws IOException {
        assertThat(store.newest()).isEmpty();
        for (int size : SIZES) {
            byte[] content = content(size);
            SnapshotMeta meta = meta(size + 1);
            take(meta, content);
            assertThat(store.newest()).contains(meta);
            assertThat(reopened().newest()).contains(meta);
            assertThat(store.sizeBytes(meta)).contains((long) size);
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            byte[] piece;
            while ((piece = store.read(meta, read.size(), 50_000).orElseThrow()).length > 0) {
                read.write(piece);
            }
            assertThat(read.toByteArray()).isEqualTo(content);
            if (size > 65_530) {
                assertThat(store.read(meta, 65_520, 30))
                        .contains(Arrays.copyOfRange(content, 65_520, Math.min(size, 65_550)));
            }
        }
    }

    @Test
    void nothingIsVisibleBeforeCommit() throws IOException {
        take(meta(10), content(100));
        try (SnapshotStore.Writer writer = store.begin(meta(20))) {
            writer.write(content(100_000), 0, 100_000);
            assertThat(store.newest()).contains(meta(10));
            assertThat(store.read(meta(20), 0, 10)).isEmpty();
            assertThat(store.sizeBytes(meta(20))).isEmpty();
        }
        assertThat(reopened().newest()).contains(meta(10));
    }

    /** R8.3: nobody knows what is on the disk then. */
    @Test
    void aFailedFsyncIsNoMereFailure() throws IOException {
        try (SnapshotStore.Writer writer = store.begin(meta(20))) {
            writer.write(content(1_000), 0, 1_000);
            disk.failSyncs(true);
            assertThatThrownBy(writer::commit).isInstanceOf(FsyncFailedException.class);
        } finally {
            disk.failSyncs(false);
        }
    }

    @Test
    void aTransferGoesOnAfterAnyCrash() throws IOException {
        byte[] content = content(400_000);
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed * 7_919L);
            MemoryDisk crashing = new MemoryDisk();
            int crashes = 0;
            boolean committed = false;
            while (!committed) {
                FileSnapshotStore after = new FileSnapshotStore(crashing, CELL, "x");
                try (SnapshotStore.Writer writer = after.resume(meta(50))) {
                    crashing.cutPowerAtOperation(1 + random.nextInt(12) + crashes);
                    int offset = (int) writer.offset();
                    writer.write(content, offset, content.length - offset);
                    writer.commit();
                    committed = true;
                } catch (MemoryDisk.PowerCut cut) {
                    crashes++;
                }
                if (random.nextBoolean()) {
                    crashing.crash(random);
                } else {
                    crashing.kill();
                }
                Optional<SnapshotMeta> newest = new FileSnapshotStore(crashing, CELL, "x").newest();
                committed |= newest.isPresent();
            }
            FileSnapshotStore after = new FileSnapshotStore(crashing, CELL, "x");
            assertThat(after.newest()).contains(meta(50));
            assertThat(after.read(meta(50), 0, content.length)).contains(content);
        }
    }

    @Test
    void resumeKeepsWholeBlocksAndOnlyOfTheSameSnapshot() throws IOException {
        byte[] content = content(200_000);
        try (SnapshotStore.Writer writer = store.begin(meta(50))) {
            writer.write(content, 0, 150_000);
            assertThat(writer.offset()).isEqualTo(150_000);
        }
        try (SnapshotStore.Writer writer = reopened().resume(meta(50))) {
            assertThat(writer.offset()).isEqualTo(131_072);
        }
        SnapshotMeta otherMembers = new SnapshotMeta(50, 4, Membership.ofVoters(List.of(new ReplicaId("r1@x"))));
        try (SnapshotStore.Writer writer = reopened().resume(otherMembers)) {
            assertThat(writer.offset()).isZero();
        }
        try (SnapshotStore.Writer writer = store.begin(meta(50))) {
            assertThat(writer.offset()).isZero();
        }
    }

    @Test
    void damageAnywhereIsRefusedByName() throws IOException {
        take(meta(10), content(70_000));
        take(meta(20), content(70_000));
        Random random = new Random(3);
        for (String path : List.of(path(10), path(20))) {
            byte[] whole = disk.content(path);
            for (int i = 0; i < 200; i++) {
                byte[] damaged = whole.clone();
                int at = i < 70 ? i : i < 90 ? whole.length - 1 - (i - 70) : random.nextInt(whole.length);
                damaged[at] ^= (byte) (1 + random.nextInt(255));
                refuses(path, damaged);
            }
            for (int length : new int[] {0, 1, 20, 40, 100, 65_536, whole.length - 1}) {
                refuses(path, Arrays.copyOf(whole, length));
            }
            refuses(path, Arrays.copyOf(whole, whole.length + 1));
            disk.overwrite(path, whole);
        }
        assertThat(reopened().newest()).contains(meta(20));
    }

    private void refuses(String path, byte[] damaged) throws IOException {
        disk.overwrite(path, damaged);
        assertThatThrownBy(() -> reopened().newest())
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining(disk.describe(path));
    }

    @Test
    void aBlockDamagedLaterIsNotHandedOut() throws IOException {
        take(meta(10), content(70_000));
        byte[] damaged = disk.content(path(10));
        damaged[30_000] ^= 1;
        disk.overwrite(path(10), damaged);
        assertThatThrownBy(() -> store.read(meta(10), 0, 100)).hasMessageContaining("wrong checksum of the block");
        assertThat(store.read(meta(10), 66_000, 100).orElseThrow()).hasSize(100);
    }

    @Test
    void anotherCellsOrReplicasSnapshotIsRefused() throws IOException {
        take(meta(10), content(10));
        assertThatThrownBy(() -> new FileSnapshotStore(disk, CELL, "other").newest())
                .hasMessageContaining("another replica");
        byte[] file = disk.content(path(10));
        FileSnapshotStore elsewhere = new FileSnapshotStore(disk, new CellId("main"), "x");
        try (SnapshotStore.Writer writer = elsewhere.begin(meta(10))) {
            writer.commit();
        }
        disk.overwrite(path(10), file);
        assertThatThrownBy(elsewhere::newest).hasMessageContaining("of cell shard-07, not of main");
    }

    @Test
    void pruneKeepsTheNewestAndDoesNotMindWhatIsGone() throws IOException {
        for (int index = 1; index <= 4; index++) {
            take(meta(index), content(10));
        }
        store.begin(meta(3)).close();
        store.begin(meta(9)).close();
        disk.delete(path(2));
        store.prune(2);
        assertThat(store.read(meta(1), 0, 1)).isEmpty();
        assertThat(store.newest()).contains(meta(4));
        assertThat(disk.list("snapshots/shard-07"))
                .hasSize(3)
                .filteredOn(name -> name.endsWith(".part"))
                .hasSize(1);
        store.prune(2);
        take(meta(10), content(10));
        store.prune(1);
        assertThat(disk.list("snapshots/shard-07")).hasSize(1);
    }

    @Test
    void aFullDiskLeavesNothingBehind() throws IOException {
        take(meta(10), content(10));
        disk.limitRoom(100_000);
        SnapshotStore.Writer writer = store.begin(meta(20));
        assertThatThrownBy(() -> writer.write(content(400_000), 0, 400_000)).hasMessageContaining("No space left");
        writer.close();
        assertThat(disk.list("snapshots/shard-07")).hasSize(1);
        assertThat(store.newest()).contains(meta(10));
    }
}
