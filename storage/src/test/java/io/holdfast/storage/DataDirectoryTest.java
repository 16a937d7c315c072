package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DataDirectoryTest {
    private static final CellId MAIN = new CellId("main");
    private static final List<ReplicaId> MEMBERS = List.of(new ReplicaId("r1@inc"), new ReplicaId("r2@other"));
    private static final HardState VOTED = new HardState(5, new ReplicaId("r2@other"));

    private final MemoryDisk disk = new MemoryDisk();

    private DataDirectory open() throws IOException {
        return open(disk);
    }

    private static DataDirectory open(MemoryDisk disk) throws IOException {
        return DataDirectory.open(disk, "prod", "r1", () -> "inc", new TreeSet<>(List.of(MAIN)), LogConfig.DEFAULT);
    }

    private static SnapshotMeta meta(long index, long term) {
        return new SnapshotMeta(index, term, Membership.ofVoters(MEMBERS));
    }

    private static void snapshot(DataDirectory directory, long index, long term) throws IOException {
        try (SnapshotStore.Writer writer = directory.snapshots(MAIN).begin(meta(index, term))) {
            writer.write(new byte[] {1, 2, 3}, 0, 3);
            writer.commit();
        }
    }

    private static List<LogEntry> entries(long first, long last) {
        List<LogEntry> entries = new ArrayList<>();
        for (long index = first; index <= last; index++) {
            entries.add(new LogEntry(index, 5, EntryType.COMMAND, new byte[] {(byte) index}));
        }
        return entries;
    }

    /** Formed, 20 entries of term 5, a snapshot at 10 from which on the log begins. */
    private void use() throws IOException {
        try (DataDirectory directory = open()) {
            directory.recordFormed(MEMBERS);
            directory.log().append(MAIN, new RaftOutput.Persist(1, VOTED, entries(1, 20), null));
            directory.log().sync();
            directory.recordStarted();
            snapshot(directory, 10, 5);
            directory
                    .log()
                    .append(MAIN, new RaftOutput.Persist(2, null, List.of(), new RaftOutput.LogBase(10, 5, false)));
            directory.log().sync();
        }
    }

    @Test
    void aNewDirectoryIsMadeOnceAndFound() throws IOException {
        use();
        try (DataDirectory directory = DataDirectory.open(
                disk,
                "prod",
                "r1",
                () -> {
                    throw new AssertionError("the incarnation must stay");
                },
                new TreeSet<>(),
                LogConfig.DEFAULT)) {
            assertThat(directory.identity().replicaId()).isEqualTo(new ReplicaId("r1@inc"));
            assertThat(directory.identity().formedMembers()).isEqualTo(MEMBERS);
            DataDirectory.RecoveredCell cell = directory.takeCells().get(MAIN);
            assertThat(cell.snapshot()).contains(meta(10, 5));
            assertThat(cell.log().hardState()).isEqualTo(VOTED);
            assertThat(cell.log().entries()).hasSize(10);
            assertThat(directory.cells()).isEmpty();
        }
    }

    @Test
    void aLogWithoutIdentityIsRefused() throws IOException {
        use();
        disk.delete("identity");
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("/memory/identity")
                .hasMessageContaining("/memory/log");
    }

    @Test
    void snapshotsWithoutAnythingElseAreRefused() throws IOException {
        use();
        disk.delete("identity");
        disk.list("log").forEach(this::deleteFromLog);
        assertThatThrownBy(this::open).isInstanceOf(DamagedFileException.class).hasMessageContaining("identity");
    }

    @Test
    void aFormedReplicaWithoutItsLogIsRefused() throws IOException {
        use();
        disk.list("log").forEach(this::deleteFromLog);
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("the log is missing")
                .hasMessageContaining("/memory/log");
    }

    /** C16: the files are there, but the disk kept nothing of what was in them. */
    @Test
    void aStartedReplicaWithAnEmptyLogIsRefused() throws IOException {
        use();
        loseLog();
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("the log is empty")
                .hasMessageContaining("/memory/log");
        assertThatThrownBy(this::open).hasMessageContaining("the log is empty"); // and so for ever
    }

    @Test
    void aFormedReplicaThatDidNotStartMayHaveAnEmptyLog() throws IOException {
        try (DataDirectory directory = open()) {
            directory.recordFormed(MEMBERS);
        }
        try (DataDirectory directory = open()) {
            assertThat(directory.identity().started()).isFalse();
        }
    }

    private void loseLog() throws IOException {
        disk.list("log").forEach(this::deleteFromLog);
        WriteAheadLog.open(disk, "log", "inc", LogConfig.DEFAULT).close();
    }

    private void deleteFromLog(String name) {
        try {
            disk.delete("log/" + name);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void aLogThatBeginsBehindASnapshotThatIsGoneIsRefused() throws IOException {
        use();
        for (String name : disk.list("snapshots/main")) {
            disk.delete("snapshots/main/" + name);
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("begins after index 10")
                .hasMessageContaining("/memory/snapshots/main");
    }

    @Test
    void everyFileEmptiedInTurnIsRefusedByName() throws IOException {
        use();
        for (String path : disk.paths()) {
            byte[] whole = disk.content(path);
            disk.overwrite(path, new byte[0]);
            assertThatThrownBy(this::open)
                    .isInstanceOf(DamagedFileException.class)
                    .hasMessageContaining(disk.describe(path));
            disk.overwrite(path, whole);
        }
        open().close();
    }

    @Test
    void aSnapshotAheadOfTheLogMovesTheLogUp() throws IOException {
        use();
        try (DataDirectory directory = open()) {
            snapshot(directory, 100, 6);
        }
        for (int i = 0; i < 2; i++) {
            try (DataDirectory directory = open()) {
                DataDirectory.RecoveredCell cell = directory.cells().get(MAIN);
                assertThat(cell.snapshot()).contains(meta(100, 6));
                assertThat(cell.log()).isEqualTo(new RecoveredLog(VOTED, 100, 6, List.of()));
                assertThat(directory.log().recovered()).containsEntry(MAIN, cell.log());
                directory.log().append(MAIN, new RaftOutput.Persist(1, null, entries(101, 102), null));
            }
        }
    }

    @Test
    void askingForWhatHasChangedFails() throws IOException {
        use();
        try (DataDirectory directory = open()) {
            assertThat(directory.log().recovered().get(MAIN).hardState()).isEqualTo(VOTED);
            directory.log().append(MAIN, new RaftOutput.Persist(1, null, entries(21, 21), null));
            assertThatThrownBy(() -> directory.log().recovered().getOrDefault(MAIN, null))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cell main has changed");
            assertThat(directory.log().recovered()).isEmpty();
        }
    }

    @Test
    void entriesOfAnotherHistoryThanTheSnapshotAreDropped() throws IOException {
        use();
        try (DataDirectory directory = open()) {
            snapshot(directory, 15, 6);
        }
        try (DataDirectory directory = open()) {
            assertThat(directory.cells().get(MAIN).log()).isEqualTo(new RecoveredLog(VOTED, 15, 6, List.of()));
        }
    }

    @Test
    void entriesAfterASnapshotOfTheSameHistoryStay() throws IOException {
        use();
        try (DataDirectory directory = open()) {
            snapshot(directory, 15, 5);
        }
        try (DataDirectory directory = open()) {
            assertThat(directory.cells().get(MAIN).snapshot()).contains(meta(15, 5));
            assertThat(directory.cells().get(MAIN).log().entries()).hasSize(10);
        }
    }

    @Test
    void theFormedMembersAreRecordedOnce() throws IOException {
        use();
        try (DataDirectory directory = open()) {
            directory.recordFormed(MEMBERS);
            assertThatThrownBy(() -> directory.recordFormed(List.of(new ReplicaId("r1@inc"))))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** No moment of a replica's life leaves a directory that is refused, or one that has forgotten something. */
    @Test
    void aPowerCutAtAnyMomentLeavesADirectoryThatOpens() throws IOException {
        Set<Integer> reached = new HashSet<>();
        for (int seed = 0; seed < 600; seed++) {
            MemoryDisk crashing = new MemoryDisk();
            Random random = new Random(seed * 7_919L);
            List<String> durable = new ArrayList<>();
            crashing.cutPowerAtOperation(1 + seed % 60);
            try {
                live(crashing, durable);
            } catch (MemoryDisk.PowerCut cut) {
                assertThat(cut).isNotNull();
            }
            crashing.crash(random);
            try (DataDirectory directory = open(crashing)) {
                DataDirectory.RecoveredCell cell = directory.cells().get(MAIN);
                if (durable.contains("formed")) {
                    assertThat(directory.identity().formedMembers()).isEqualTo(MEMBERS);
                }
                if (durable.contains("log")) {
                    assertThat(cell.log().hardState()).isEqualTo(VOTED);
                    assertThat(cell.log().baseIndex() + cell.log().entries().size())
                            .isGreaterThanOrEqualTo(20);
                }
                if (durable.contains("started")) {
                    assertThat(directory.identity().started()).isTrue();
                }
                if (durable.contains("snapshot")) {
                    assertThat(cell.snapshot()).contains(meta(10, 5));
                }
            }
            reached.add(durable.size());
        }
        assertThat(reached).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }

    private void live(MemoryDisk crashing, List<String> durable) throws IOException {
        try (DataDirectory directory = open(crashing)) {
            directory.recordFormed(MEMBERS);
            durable.add("formed");
            directory.log().append(MAIN, new RaftOutput.Persist(1, VOTED, entries(1, 20), null));
            directory.log().sync();
            durable.add("log");
            directory.recordStarted();
            durable.add("started");
            snapshot(directory, 10, 5);
            durable.add("snapshot");
            RaftOutput.LogBase base = new RaftOutput.LogBase(10, 5, false);
            directory.log().append(MAIN, new RaftOutput.Persist(2, null, List.of(), base));
            directory.log().sync();
            durable.add("base");
        }
    }

    @Test
    void aDirectoryWithSomebodyElsesFilesIsRefused() throws IOException {
        disk.create("notes.txt").close();
        assertThatThrownBy(this::open).hasMessageContaining("notes.txt").hasMessageContaining("not Holdfast's");
        disk.delete("notes.txt");
        disk.create(DirectoryLock.NAME).close();
        open().close();
    }

    /** R7.4: the count is fixed with the members; data of an older version, which has none, take what they are given first. */
    @Test
    void theCountOfShardsIsFixedWhenTheDeploymentIsFormed() throws IOException {
        try (DataDirectory directory = open()) {
            directory.useShards(20); // not formed yet: nothing is fixed
        }
        try (DataDirectory directory = open()) {
            directory.useShards(3);
            directory.recordFormed(MEMBERS);
        }
        try (DataDirectory directory = open()) {
            assertThatThrownBy(() -> directory.useShards(20))
                    .isInstanceOf(ForeignDataException.class)
                    .hasMessageContaining("3 shards")
                    .hasMessageContaining("shards: 20");
            directory.useShards(3);
        }
    }

    @Test
    void dataOfAnOlderVersionTakeTheFirstCount() throws IOException {
        try (DataDirectory directory = open()) {
            directory.recordFormed(MEMBERS);
            assertThat(directory.identity().knowsShards()).isFalse();
        }
        try (DataDirectory directory = open()) {
            directory.useShards(7);
        }
        try (DataDirectory directory = open()) {
            assertThat(directory.identity().shards()).isEqualTo(7);
            assertThatThrownBy(() -> directory.useShards(0)).isInstanceOf(ForeignDataException.class);
        }
    }
}
