package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Space comes back after snapshots, also when another cell is idle. */
class LogSpaceTest {
    private static final CellId BUSY = new CellId("busy");
    private static final CellId IDLE = new CellId("idle");
    /** A tenth of the figures of the issue: 1,000,000 entries, a snapshot every 100,000, 64 MB. */
    private static final int SCALE = Integer.getInteger("holdfast.storage.spaceScale", 10);

    private static final int ENTRIES = 1_000_000 / SCALE;
    private static final int SNAPSHOT_EVERY = 100_000 / SCALE;
    private static final int BATCH = 20;
    private static final long LIMIT_BYTES = (64L << 20) / SCALE;
    private static final LogConfig CONFIG = new LogConfig((8L << 20) / SCALE, (16L << 20) / SCALE, 64 << 20);

    @Test
    void theLogStaysSmallBesideAnIdleCell() throws IOException {
        MemoryDisk disk = new MemoryDisk();
        List<LogEntry> idleEntries = List.of(entry(1), entry(2));
        RecoveredLog idle = new RecoveredLog(new HardState(7, null), 0, 0, idleEntries);
        long mostBytes = 0;
        int rewrites = 0;
        try (WriteAheadLog log = WriteAheadLog.open(disk, "log", "x", CONFIG)) {
            log.append(IDLE, new RaftOutput.Persist(1, idle.hardState(), idleEntries, null));
            for (int index = 1; index <= ENTRIES; index += BATCH) {
                log.append(BUSY, new RaftOutput.Persist(index, null, batch(index), base(index)));
                for (CellId pinning : log.pinning()) {
                    assertThat(pinning).isEqualTo(IDLE);
                    log.appendRewrite(IDLE, idle);
                    rewrites++;
                }
                log.sync();
                assertThat(log.sizeBytes()).isEqualTo(disk.usedBytes());
                mostBytes = Math.max(mostBytes, disk.usedBytes());
            }
        }
        assertThat(mostBytes).isLessThan(LIMIT_BYTES);
        assertThat(rewrites).isBetween(1, 20);
        try (WriteAheadLog log = WriteAheadLog.open(disk, "log", "x", CONFIG)) {
            assertThat(LogModel.describe(log.recovered()))
                    .contains("idle HardState[term=7, votedFor=null] base 0@0: 1@1");
            assertThat(log.recovered().get(BUSY).entries().size()).isEqualTo(SNAPSHOT_EVERY);
        }
    }

    private static RaftOutput.LogBase base(int index) {
        int base = (index - 1) / SNAPSHOT_EVERY * SNAPSHOT_EVERY;
        boolean moves = base > 0 && (index - 1) % SNAPSHOT_EVERY < BATCH;
        return moves ? new RaftOutput.LogBase(base, 1, false) : null;
    }

    private static List<LogEntry> batch(int first) {
        List<LogEntry> entries = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            entries.add(entry(first + i));
        }
        return entries;
    }

    private static LogEntry entry(long index) {
        byte[] data = new byte[200];
        data[0] = (byte) index;
        return new LogEntry(index, 1, EntryType.COMMAND, data);
    }
}
