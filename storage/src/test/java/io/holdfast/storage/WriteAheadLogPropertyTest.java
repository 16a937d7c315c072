package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.ReplicaId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random work, crashes and full disks: what comes back is what was acknowledged, or that and the whole last batch. */
class WriteAheadLogPropertyTest {
    private static final int SEEDS = Integer.getInteger("holdfast.storage.seeds", 1_500);
    private static final String IDENTITY = "incarnation-1";

    /** How often each kind of thing happened, so that the test cannot pass by doing nothing. */
    private final TreeMap<String, Integer> reached = new TreeMap<>();

    @Test
    void whatWasAcknowledgedComesBack() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(seed).run();
            } catch (IOException | RuntimeException | AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
        assertThat(reached.keySet())
                .contains(
                        "batch after a crash whole",
                        "batch after a crash gone",
                        "crash while opening",
                        "torn: only zeros follow",
                        "torn: the file ends inside a record",
                        "torn: the file ends inside the header of a record",
                        "torn: the header of the last record was never written",
                        "torn: a segment without records, unfinished",
                        "torn: sectors of the last record were never written",
                        "disk full",
                        "rewrite",
                        "killed",
                        "reset",
                        "segment deleted",
                        "segment made");
    }

    private final class Run {
        private final Random random;
        private final MemoryDisk disk = new MemoryDisk();
        private final LogConfig config;
        private final List<CellId> cells = new ArrayList<>();
        /** Durable for sure. */
        private LogModel acknowledged = new LogModel();
        /** With what was appended since. */
        private LogModel appended = new LogModel();

        private WriteAheadLog log;
        private long newestSegment = 1;

        Run(long seed) throws IOException {
            random = new Random(seed * 7_919);
            config = new LogConfig(300 + random.nextInt(4_000), random.nextInt(6_000), 1 << 20);
            for (int i = 0; i <= random.nextInt(4); i++) {
                cells.add(new CellId("cell-" + i));
            }
            log = open();
        }

        void run() throws IOException {
            int steps = 20 + random.nextInt(120);
            for (int step = 0; step < steps; step++) {
                int choice = random.nextInt(100);
                if (choice < 60) {
                    append();
                } else if (choice < 80) {
                    sync();
                } else if (choice < 86) {
                    syncWithPowerCut();
                } else if (choice < 89) {
                    crashNow();
                } else if (choice < 92) {
                    kill();
                } else if (choice < 95) {
                    syncOnFullDisk();
                } else {
                    rewritePinning();
                }
            }
            sync();
            crashNow();
        }

        private void append() {
            CellId cell = cells.get(random.nextInt(cells.size()));
            RaftOutput.Persist request = randomRequest(appended.cell(cell));
            appended.persist(cell, request);
            log.append(cell, request);
        }

        private RaftOutput.Persist randomRequest(RecoveredLog present) {
            long term = Math.max(1, present.hardState().term());
            HardState hardState = null;
            if (random.nextInt(4) == 0) {
                term += random.nextInt(3);
                hardState = new HardState(term, random.nextBoolean() ? null : new ReplicaId("r2@abc"));
            }
            long last = present.baseIndex() + present.entries().size();
            RaftOutput.LogBase base = null;
            int kind = random.nextInt(12);
            if (kind == 0 && !present.entries().isEmpty()) {
                LogEntry at =
                        present.entries().get(random.nextInt(present.entries().size()));
                base = new RaftOutput.LogBase(at.index(), at.term(), false);
            } else if (kind == 1) {
                long anywhere =
                        present.baseIndex() + random.nextInt(present.entries().size() + 20);
                base = new RaftOutput.LogBase(anywhere, term, true);
                last = base.index();
                count("reset");
            }
            long baseIndex = base == null ? present.baseIndex() : base.index();
            List<LogEntry> entries = List.of();
            if (random.nextInt(5) > 0) {
                long overwritten = random.nextInt(6) == 0 ? Math.min(last - baseIndex, random.nextInt(5)) : 0;
                entries = randomEntries(last + 1 - overwritten, term);
            }
            return new RaftOutput.Persist(0, hardState, entries, base);
        }

        private List<LogEntry> randomEntries(long first, long term) {
            List<LogEntry> entries = new ArrayList<>();
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                byte[] data = new byte[random.nextInt(random.nextInt(8) == 0 ? 2_000 : 60)];
                if (random.nextInt(3) > 0) {
                    random.nextBytes(data);
                }
                entries.add(new LogEntry(first + i, term, EntryType.of(random.nextInt(3)), data));
            }
            return entries;
        }

        private void sync() throws IOException {
            long oldest = oldestSegment();
            log.sync();
            acknowledged = appended.copy();
            count(oldestSegment() > oldest ? "segment deleted" : "no segment deleted");
            if (newestSegment() > newestSegment) {
                newestSegment = newestSegment();
                count("segment made");
            }
        }

        private void syncWithPowerCut() throws IOException {
            disk.cutPowerAtOperation(1 + random.nextInt(12));
            try {
                log.sync();
                acknowledged = appended.copy();
            } catch (MemoryDisk.PowerCut cut) {
                count("power cut in sync");
            }
            crashNow();
        }

        private void crashNow() throws IOException {
            disk.crash(random);
            while (random.nextInt(4) == 0) {
                disk.cutPowerAtOperation(1 + random.nextInt(8));
                try {
                    log = open();
                } catch (MemoryDisk.PowerCut cut) {
                    count("crash while opening");
                }
                disk.crash(random);
            }
            log = open();
            recover();
        }

        /** What a killed process finds in the page cache must be durable once it has been opened. */
        private void kill() throws IOException {
            if (random.nextBoolean()) {
                disk.cutPowerAtOperation(1 + random.nextInt(12));
                try {
                    log.sync();
                    acknowledged = appended.copy();
                } catch (MemoryDisk.PowerCut cut) {
                    count("killed in sync");
                }
            }
            disk.kill();
            log = open();
            recover();
            count("killed");
            disk.crash(random);
            log = open();
            recover();
        }

        private WriteAheadLog open() throws IOException {
            WriteAheadLog opened = WriteAheadLog.open(disk, "log", IDENTITY, config);
            for (RecoveryReport.Cut cut : opened.report().cuts()) {
                count("torn: " + cut.reason().replaceFirst("^\\d+ ", ""));
            }
            return opened;
        }

        private void recover() {
            String found = LogModel.describe(log.recovered());
            if (!found.equals(acknowledged.toString())) {
                assertThat(found).isEqualTo(appended.toString());
                count("batch after a crash whole");
            } else if (!found.equals(appended.toString())) {
                count("batch after a crash gone");
            }
            acknowledged = new LogModel();
            acknowledged.cells.putAll(log.recovered());
            appended = acknowledged.copy();
        }

        private void syncOnFullDisk() throws IOException {
            disk.limitRoom(random.nextInt(900));
            boolean full = false;
            try {
                log.sync();
            } catch (DiskFullException noRoom) {
                full = true;
                count("disk full");
            }
            if (full && random.nextInt(4) == 0) {
                disk.limitRoom(Long.MAX_VALUE);
                crashNow();
                return;
            }
            if (full && random.nextInt(4) == 0) {
                append();
            }
            disk.limitRoom(Long.MAX_VALUE);
            sync();
        }

        private void rewritePinning() throws IOException {
            sync();
            for (CellId cell : log.pinning()) {
                log.appendRewrite(cell, appended.cell(cell));
                count("rewrite");
            }
            sync();
        }

        private long oldestSegment() {
            return LogFormat.sequenceOf(disk.list("log").get(0));
        }

        private long newestSegment() {
            List<String> names = disk.list("log");
            return LogFormat.sequenceOf(names.get(names.size() - 1));
        }
    }

    private void count(String what) {
        reached.merge(what, 1, Integer::sum);
    }
}
