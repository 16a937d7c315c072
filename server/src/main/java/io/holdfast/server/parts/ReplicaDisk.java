package io.holdfast.server.parts;

import io.holdfast.model.Shards;
import io.holdfast.raft.ReplicaId;
import io.holdfast.replica.FormationRecord;
import io.holdfast.replica.IdentityStore;
import io.holdfast.storage.CellId;
import io.holdfast.storage.DataDirectory;
import io.holdfast.storage.DirectoryLock;
import io.holdfast.storage.FileDisk;
import io.holdfast.storage.GroupCommitLog;
import io.holdfast.storage.LogConfig;
import io.holdfast.storage.LogListener;
import io.holdfast.storage.LogProgress;
import io.holdfast.storage.LogStore;
import io.holdfast.storage.SnapshotStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica's data directory, locked, checked, and its log taken into service.
 *
 * <p><b>Thread:</b> {@link #open} and {@link #close} block on the disk.
 */
final class ReplicaDisk implements IdentityStore, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReplicaDisk.class);
    private static final int INCARNATION_BYTES = 8;

    private final DirectoryLock lock;
    private final DataDirectory data;
    private final GroupCommitLog store;
    private final DiskTrouble trouble;

    private ReplicaDisk(DirectoryLock lock, DataDirectory data, GroupCommitLog store, DiskTrouble trouble) {
        this.lock = lock;
        this.data = data;
        this.store = store;
        this.trouble = trouble;
    }

    /**
     * Opens the directory, or makes it.
     *
     * @param shards of the deployment; what is recorded must say the same
     * @throws StartFailedException if it is in use, foreign or damaged
     */
    static ReplicaDisk open(
            Path directory,
            String deployment,
            String replica,
            SortedSet<CellId> cells,
            Shards shards,
            LogListener listener,
            FatalHandler fatal) {
        DirectoryLock lock = null;
        try {
            lock = DirectoryLock.acquire(directory);
            DataDirectory data = DataDirectory.open(
                    new FileDisk(directory),
                    deployment,
                    replica,
                    ReplicaDisk::newIncarnation,
                    cells,
                    LogConfig.DEFAULT);
            useShards(data, shards);
            data.log()
                    .report()
                    .cuts()
                    .forEach(cut -> log.warn("{}: the end of the log was cut off after a crash: {}", replica, cut));
            DiskTrouble trouble = new DiskTrouble(replica, directory, fatal);
            GroupCommitLog store = GroupCommitLog.start(data.log(), trouble, listener);
            return new ReplicaDisk(lock, data, store, trouble);
        } catch (IOException refused) {
            closeQuietly(lock);
            throw new StartFailedException("replica " + replica + ": " + refused.getMessage(), refused);
        } catch (RuntimeException failed) {
            closeQuietly(lock);
            throw failed;
        }
    }

    private static void useShards(DataDirectory data, Shards shards) throws IOException {
        try {
            data.useShards(shards.count());
        } catch (IOException | RuntimeException refused) {
            data.close();
            throw refused;
        }
    }

    private static String newIncarnation() {
        byte[] bytes = new byte[INCARNATION_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    ReplicaId self() {
        return data.identity().replicaId();
    }

    /** The same on every replica of a deployment, and another one when it is formed anew; empty until formed. */
    String deployment() {
        List<ReplicaId> members = data.identity().formedMembers();
        if (members.isEmpty()) {
            return "";
        }
        CRC32C crc = new CRC32C();
        members.stream()
                .sorted()
                .forEach(member -> crc.update((member.value() + "\n").getBytes(StandardCharsets.UTF_8)));
        return String.format("%s-%08x", data.identity().deployment(), crc.getValue());
    }

    FormationRecord recorded() {
        return new FormationRecord(
                data.identity().formedMembers(), data.identity().started());
    }

    /** Whom the data name as members of a cell; ask before {@link #handedOver}. */
    KnownMembers knownMembers(CellId cell) {
        return new KnownMembers(
                self(),
                data.identity().formedMembers(),
                Objects.requireNonNull(data.cells().get(cell)));
    }

    LogStore log() {
        return store;
    }

    LogProgress progress() {
        return store;
    }

    /** Runs on the log's writer each time the disk turns out to be full; must return at once. */
    void whenFull(Runnable action) {
        trouble.whenFull = action;
    }

    /** Runs likewise when there is room again. */
    void whenRoomAgain(Runnable action) {
        trouble.whenRoomAgain = action;
    }

    SnapshotStore snapshots(CellId cell) {
        return data.snapshots(cell);
    }

    /** The entries that were found are the loop's now; not keeping them here lets them be freed. */
    void handedOver() {
        data.takeCells();
    }

    @Override
    public void store(List<ReplicaId> members, Runnable done) {
        try {
            data.recordFormed(members);
        } catch (IOException | RuntimeException failed) {
            trouble.handler.fatal(
                    "replica " + trouble.replica + ": the member list cannot be stored: " + failed.getMessage(),
                    failed);
            return;
        }
        done.run();
    }

    @Override
    public void started(Runnable done) {
        try {
            data.recordStarted();
        } catch (IOException | RuntimeException failed) {
            trouble.handler.fatal(
                    "replica " + trouble.replica + ": the start cannot be recorded: " + failed.getMessage(), failed);
            return;
        }
        done.run();
    }

    /**
     * Makes durable what was queued, then lets the directory go. A disk that does not answer is not waited for: what it has
     * not confirmed was acknowledged to nobody (R2.1). The directory then stays locked, as its writer may write yet, until
     * the system ends that with the process.
     */
    @Override
    public void close() {
        if (store.endWithin(GroupCommitLog.CLOSE_MILLIS)) {
            closeQuietly(lock);
        } else {
            log.error(
                    "{}: the disk has not finished a write within {} ms: this replica ends without it; nothing that was"
                            + " acknowledged is lost. See whether the disk of {} hangs",
                    trouble.replica,
                    GroupCommitLog.CLOSE_MILLIS,
                    trouble.directory);
        }
    }

    private static void closeQuietly(@Nullable DirectoryLock lock) {
        if (lock == null) {
            return;
        }
        try {
            lock.close();
        } catch (IOException ignored) {
            // The system drops it with the process.
        }
    }

    /** Says what the log's writer met. */
    private static final class DiskTrouble implements LogStore.Failure {
        private final String replica;
        private final Path directory;
        private final FatalHandler handler;
        private volatile Runnable whenFull = () -> {};
        private volatile Runnable whenRoomAgain = () -> {};

        DiskTrouble(String replica, Path directory, FatalHandler handler) {
            this.replica = replica;
            this.directory = directory;
            this.handler = handler;
        }

        @Override
        public void diskFull(Exception cause) {
            log.error(
                    "{}: the disk is full: this replica writes nothing and gives up a lead that it has until there is"
                            + " room; make some in {} ({})",
                    replica,
                    directory,
                    cause.getMessage());
            whenFull.run();
        }

        @Override
        public void roomAgain() {
            log.info("{}: there is room on the disk again; writing goes on", replica);
            whenRoomAgain.run();
        }

        @Override
        public void fatal(Exception cause) {
            handler.fatal("replica " + replica + ": the log cannot be written: " + cause.getMessage(), cause);
        }
    }
}
