package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.EntryType;
import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftOutput;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GroupCommitLogTest {
    private static final CellId MAIN = new CellId("main");
    private static final CellId OTHER = new CellId("other");
    private static final long PATIENCE_SECONDS = 60;

    private final MemoryDisk disk = new MemoryDisk();
    private final List<Integer> done = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final List<Integer> requestsPerSync = new CopyOnWriteArrayList<>();
    private final LogStore.Failure failure = new LogStore.Failure() {
        @Override
        public void diskFull(Exception cause) {
            told.add("full: " + cause.getMessage());
        }

        @Override
        public void roomAgain() {
            told.add("room");
        }

        @Override
        public void fatal(Exception cause) {
            told.add("fatal: " + cause.getMessage());
        }
    };

    private GroupCommitLog start(long retryMillis) throws IOException {
        WriteAheadLog log = WriteAheadLog.open(disk, "log", "x", LogConfig.DEFAULT);
        return GroupCommitLog.start(
                log, failure, (nanos, bytes, requests) -> requestsPerSync.add(requests), () -> 0, retryMillis);
    }

    private static RaftOutput.Persist entry(long index) {
        return new RaftOutput.Persist(
                index, null, List.of(new LogEntry(index, 1, EntryType.COMMAND, new byte[100])), null);
    }

    @Test
    void everythingThatWaitsSharesOneFsync() throws Exception {
        CountDownLatch writerBusy = new CountDownLatch(1);
        CountDownLatch allQueued = new CountDownLatch(1);
        try (GroupCommitLog store = start(1)) {
            int before = disk.syncs();
            store.persist(MAIN, entry(1), () -> {
                writerBusy.countDown();
                await(allQueued);
            });
            await(writerBusy);
            for (int i = 1; i <= 500; i++) {
                int number = i;
                boolean main = i % 2 == 0;
                store.persist(main ? MAIN : OTHER, entry(main ? 1 + i / 2 : (i + 1) / 2), () -> done.add(number));
            }
            allQueued.countDown();
            store.close();
            assertThat(disk.syncs() - before).isEqualTo(2);
        }
        assertThat(requestsPerSync).containsExactly(1, 500);
        assertThat(done).hasSize(500).isSorted();
        assertThat(told).isEmpty();
        try (WriteAheadLog log = WriteAheadLog.open(disk, "log", "x", LogConfig.DEFAULT)) {
            assertThat(log.recovered().get(MAIN).entries()).hasSize(251);
            assertThat(log.recovered().get(OTHER).entries()).hasSize(250);
        }
    }

    @Test
    void aFailedFsyncIsFatalAndNothingIsDoneAfterIt() throws Exception {
        CountDownLatch firstDone = new CountDownLatch(1);
        try (GroupCommitLog store = start(1)) {
            store.persist(MAIN, entry(1), firstDone::countDown);
            await(firstDone);
            disk.failSyncs(true);
            int before = disk.syncs();
            store.persist(MAIN, entry(2), () -> done.add(2));
            assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("fatal: Input/output error");
            disk.failSyncs(false);
            store.persist(MAIN, entry(3), () -> done.add(3));
            store.close();
            assertThat(disk.syncs()).isEqualTo(before);
        }
        assertThat(done).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void aFullDiskIsToldOnceAndLeftBehindOnceThereIsRoom() throws Exception {
        try (GroupCommitLog store = start(1)) {
            disk.limitRoom(50);
            store.persist(MAIN, entry(1), () -> done.add(1));
            assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("full: No space left on device");
            store.persist(MAIN, entry(2), () -> done.add(2));
            long operations = disk.operations();
            while (disk.operations() < operations + 20) {
                Thread.onSpinWait();
            }
            assertThat(done).isEmpty();
            assertThat(told).isEmpty();
            assertThat(store.isDiskFull()).isTrue();
            disk.limitRoom(Long.MAX_VALUE);
            assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("room");
            assertThat(store.isDiskFull()).isFalse();
        }
        assertThat(done).containsExactly(1, 2);
        assertThat(told).isEmpty();
    }

    @Test
    void closingOnAFullDiskGivesUpWhatWaits() throws Exception {
        try (GroupCommitLog store = start(TimeUnit.HOURS.toMillis(1))) {
            disk.limitRoom(50);
            store.persist(MAIN, entry(1), () -> done.add(1));
            assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).startsWith("full");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void theOldestWriteThatIsNotConfirmedShowsWhileTheDiskHangs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        AtomicLong now = new AtomicLong(100);
        WriteAheadLog log = WriteAheadLog.open(disk, "log", "x", LogConfig.DEFAULT);
        try (GroupCommitLog store = GroupCommitLog.start(log, failure, LogListener.NONE, now::get, 1)) {
            assertThat(store.oldestUnconfirmedNanos()).isZero();
            disk.beforeSync(() -> {
                hangs.countDown();
                await(answers);
            });
            store.persist(MAIN, entry(1), () -> now.addAndGet(1_000));
            await(hangs);
            now.set(130);
            store.persist(MAIN, entry(2), () -> {});
            assertThat(store.oldestUnconfirmedNanos()).isEqualTo(30); // of the one that is being written
            answers.countDown();
            store.endWithin(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(store.oldestUnconfirmedNanos()).isZero();
        }
    }

    /** A disk that hangs must not keep a process from ending; what it has not confirmed was acknowledged to nobody. */
    @Test
    void aDiskThatHangsIsNotWaitedForWithoutBound() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        try (GroupCommitLog store = start(1)) {
            disk.beforeSync(() -> {
                hangs.countDown();
                await(answers);
            });
            store.persist(MAIN, entry(1), () -> done.add(1));
            await(hangs);
            assertThat(store.endWithin(1)).isFalse();
            store.persist(MAIN, entry(2), () -> done.add(2));
            assertThat(done).isEmpty();
            answers.countDown();
            assertThat(store.endWithin(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)))
                    .isTrue();
        }
        assertThat(done).containsExactly(1);
        assertThat(told).isEmpty();
    }

    @Test
    void anInterruptedCloseStillWaitsAndKeepsTheInterrupt() throws Exception {
        GroupCommitLog store = start(1);
        store.persist(MAIN, entry(1), () -> done.add(1));
        Thread.currentThread().interrupt();
        assertThat(store.endWithin(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS))).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsExactly(1);
    }

    @Test
    void aRequestThatMakesNoSenseIsFatal() throws Exception {
        try (GroupCommitLog store = start(1)) {
            store.persist(MAIN, entry(7), () -> done.add(7));
            assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("entry 7 of cell main after entry 0");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void closeMakesDurableWhatWaits() throws Exception {
        try (GroupCommitLog store = start(1)) {
            for (int i = 1; i <= 100; i++) {
                store.persist(MAIN, entry(i), () -> done.add(0));
            }
            store.rewrite(OTHER, new RecoveredLog(new HardState(4, null), 9, 2, List.of()), () -> done.add(1));
        }
        assertThat(done).hasSize(101).endsWith(1);
        try (GroupCommitLog store = start(1)) {
            assertThat(store.recovered().get(MAIN).entries()).hasSize(100);
            assertThat(store.recovered().get(OTHER).hardState().term()).isEqualTo(4);
            assertThat(store.sizeBytes()).isEqualTo(disk.usedBytes());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException early) {
            throw new AssertionError(early);
        }
    }
}
