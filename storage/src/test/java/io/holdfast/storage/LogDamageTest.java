package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.ReplicaId;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** C67: a torn tail is cut and reported, damage is refused with file and offset, nothing acknowledged goes silently. */
class LogDamageTest {
    private static final String IDENTITY = "incarnation-1";
    private static final LogConfig CONFIG = new LogConfig(4_000, 1 << 20, 1 << 20);
    private static final CellId MAIN = new CellId("main");

    private final MemoryDisk disk = new MemoryDisk();
    private String newest;
    private long lastRecordAt;
    private int entries;

    @BeforeEach
    void writeSomeSegments() throws IOException {
        Random random = new Random(5);
        try (WriteAheadLog log = open(disk)) {
            while (disk.list("log").size() < 4 || entries % 10 != 0) {
                lastRecordAt = size(newestPath());
                byte[] data = new byte[random.nextInt(300)];
                random.nextBytes(data);
                log.append(MAIN, persist(++entries, data));
                log.sync();
            }
        }
        newest = newestPath();
        lastRecordAt = Math.min(lastRecordAt, size(newest));
        assertThat(recoveredEntries(disk)).isEqualTo(entries);
    }

    private static RaftOutput.Persist persist(long index, byte[] data) {
        return new RaftOutput.Persist(
                index,
                new HardState(3, new ReplicaId("r1@x")),
                List.of(new LogEntry(index, 3, EntryType.COMMAND, data)),
                null);
    }

    @Test
    void theLastRecordCutAnywhereIsDroppedAndReported() throws IOException {
        byte[] whole = disk.content(newest);
        for (int length = (int) lastRecordAt; length < whole.length; length++) {
            MemoryDisk cut = disk.copy();
            cut.overwrite(newest, Arrays.copyOf(whole, length));
            try (WriteAheadLog log = open(cut)) {
                assertThat(log.recovered().get(MAIN).entries()).hasSize(entries - 1);
                if (length == lastRecordAt) {
                    assertThat(log.report().cuts()).isEmpty();
                } else {
                    RecoveryReport.Cut report = log.report().cuts().get(0);
                    assertThat(report.file()).isEqualTo(disk.describe(newest));
                    assertThat(report.offsetBytes()).isEqualTo(lastRecordAt);
                    assertThat(report.bytesCut()).isEqualTo(length - lastRecordAt);
                }
                log.append(MAIN, persist(entries, new byte[10]));
                log.sync();
            }
            assertThat(recoveredEntries(cut)).isEqualTo(entries);
        }
    }

    @Test
    void zerosAtTheEndAreCut() throws IOException {
        byte[] whole = disk.content(newest);
        for (int zeros : new int[] {1, 7, 8, 31, 32, 511, 4 << 20}) {
            MemoryDisk padded = disk.copy();
            padded.overwrite(newest, Arrays.copyOf(whole, whole.length + zeros));
            try (WriteAheadLog log = open(padded)) {
                assertThat(log.recovered().get(MAIN).entries()).hasSize(entries);
                assertThat(log.report().cuts()).hasSize(1);
                assertThat(log.report().cuts().get(0).bytesCut()).isEqualTo(zeros);
            }
            assertThat(padded.content(newest)).hasSize(whole.length);
        }
    }

    @Test
    void aFlippedByteAnywhereIsRefused() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 1_000; i++) {
            List<String> segments = disk.paths();
            String path = segments.get(random.nextInt(segments.size()));
            MemoryDisk flipped = disk.copy();
            byte[] content = flipped.content(path);
            int at = random.nextInt(content.length);
            content[at] ^= (byte) (1 + random.nextInt(255));
            flipped.overwrite(path, content);
            DamagedFileException refused = refused(flipped, DamagedFileException.class);
            assertThat(refused.file()).as("byte %d of %s", at, path).isEqualTo(disk.describe(path));
            assertThat(((CorruptLogException) refused).offsetBytes()).isLessThanOrEqualTo(at);
            assertThat(flipped.content(path)).as("evidence is left alone").isEqualTo(content);
        }
    }

    @Test
    void zerosInTheDataAreNoExcuseForAWrongChecksum() throws IOException {
        MemoryDisk zeros = new MemoryDisk();
        try (WriteAheadLog log = open(zeros)) {
            log.append(MAIN, persist(1, new byte[3_000]));
            log.sync();
        }
        String path = zeros.paths().get(0);
        byte[] content = zeros.content(path);
        content[1_500] = 1;
        zeros.overwrite(path, content);
        assertThat(refused(zeros, CorruptLogException.class)).hasMessageContaining("wrong checksum in record 1");
    }

    @Test
    void aSectorThatWasNeverWrittenIsCutOnlyInTheLastRecord() throws IOException {
        try (WriteAheadLog log = open(disk)) {
            byte[] data = new byte[3_000];
            Arrays.fill(data, (byte) 7);
            lastRecordAt = size(newest);
            log.append(MAIN, persist(++entries, data));
            log.sync();
        }
        byte[] content = disk.content(newest);
        int sector = (int) (lastRecordAt / 512 + 2) * 512;
        Arrays.fill(content, sector, sector + 512, (byte) 0);
        MemoryDisk torn = disk.copy();
        torn.overwrite(newest, content);
        try (WriteAheadLog log = open(torn)) {
            assertThat(log.report().cuts().get(0).offsetBytes()).isEqualTo(lastRecordAt);
            assertThat(log.recovered().get(MAIN).entries()).hasSize(entries - 1);
        }
        try (WriteAheadLog log = open(disk)) {
            log.append(MAIN, persist(++entries, new byte[100]));
            log.sync();
        }
        Arrays.fill(content = disk.content(newest), sector, sector + 512, (byte) 0);
        disk.overwrite(newest, content);
        refused(disk, CorruptLogException.class);
    }

    @Test
    void aHeaderThatWasNeverWrittenIsCutOnlyInTheLastRecord() throws IOException {
        byte[] content = disk.content(newest);
        Arrays.fill(content, 64, 512, (byte) 0);
        disk.overwrite(newest, content);
        assertThat(refused(disk, CorruptLogException.class)).hasMessageContaining("a good one follows");
    }

    @Test
    void anEmptiedSegmentIsRefused() throws IOException {
        for (String path : disk.paths()) {
            MemoryDisk emptied = disk.copy();
            emptied.overwrite(path, new byte[0]);
            assertThat(refused(emptied, CorruptLogException.class))
                    .hasMessageContaining(disk.describe(path))
                    .hasMessageContaining("empty");
        }
    }

    @Test
    void aMissingSegmentIsRefusedByName() throws IOException {
        for (String path : disk.paths()) {
            MemoryDisk hole = disk.copy();
            hole.delete(path);
            assertThat(refused(hole, CorruptLogException.class))
                    .hasMessageContaining(disk.describe(path))
                    .hasMessageContaining("missing");
        }
    }

    @Test
    void aSegmentCutAtTheEndIsRefusedUnlessItIsTheNewest() throws IOException {
        for (String path : disk.paths()) {
            if (!path.equals(newest)) {
                MemoryDisk cut = disk.copy();
                cut.overwrite(path, Arrays.copyOf(disk.content(path), (int) size(path) - 3));
                assertThat(refused(cut, CorruptLogException.class)).hasMessageContaining(disk.describe(path));
            }
        }
    }

    @Test
    void garbageAfterTheLastRecordIsRefused() throws IOException {
        byte[] content = Arrays.copyOf(disk.content(newest), (int) size(newest) + 40);
        Arrays.fill(content, content.length - 40, content.length, (byte) 'x');
        disk.overwrite(newest, content);
        assertThat(refused(disk, CorruptLogException.class).offsetBytes()).isEqualTo(content.length - 40);
    }

    @Test
    void anUnknownVersionIsRefused() throws IOException {
        byte[] content = disk.content(newest);
        content[11] = 2;
        disk.overwrite(newest, content);
        assertThat(refused(disk, CorruptLogException.class))
                .hasMessageContaining("log format version 2, but this program reads only version 1");
    }

    @Test
    void anotherReplicasLogIsRefused() {
        assertThatThrownBy(() -> WriteAheadLog.open(disk, "log", "incarnation-2", CONFIG))
                .isInstanceOf(ForeignDataException.class)
                .hasMessageContaining("another replica");
    }

    @Test
    void aSegmentInAnothersPlaceIsRefused() throws IOException {
        List<String> paths = disk.paths();
        disk.overwrite(paths.get(1), disk.content(paths.get(0)));
        assertThat(refused(disk, CorruptLogException.class)).hasMessageContaining("the header says segment 1");
    }

    @Test
    void aRecordTooLargeIsRefusedBeforeMemoryIsTaken() throws IOException {
        LogConfig small = new LogConfig(4_000, 1 << 20, 1_024);
        try (WriteAheadLog log = open(disk)) {
            log.append(MAIN, persist(++entries, new byte[2_000]));
            log.sync();
        }
        assertThatThrownBy(() -> WriteAheadLog.open(disk, "log", IDENTITY, small))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("the limit is 1024");
    }

    private static <T extends Throwable> T refused(MemoryDisk damaged, Class<T> type) {
        T refused = catchThrowableOfType(type, () -> open(damaged).close());
        assertThat(refused).as("the log must be refused").isNotNull();
        return refused;
    }

    private static WriteAheadLog open(Disk disk) throws IOException {
        return WriteAheadLog.open(disk, "log", IDENTITY, CONFIG);
    }

    private static int recoveredEntries(Disk disk) throws IOException {
        try (WriteAheadLog log = open(disk)) {
            return log.recovered().get(MAIN).entries().size();
        }
    }

    private String newestPath() {
        List<String> names = disk.list("log");
        return "log/" + names.get(names.size() - 1);
    }

    private long size(String path) throws IOException {
        return disk.content(path).length;
    }
}
