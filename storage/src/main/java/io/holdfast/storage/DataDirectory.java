package io.holdfast.storage;

import io.holdfast.raft.HardState;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.SnapshotMeta;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Everything a replica keeps on its disk, opened in the one order that notices what is missing, foreign or damaged:
 * identity, log, snapshots.
 *
 * <p>What does not fit together is refused with a message that names the file (R8.3):
 *
 * <ol>
 *   <li>a log or snapshots without an identity, an identity of another deployment or replica, or
 *       files that are not Holdfast's in a new directory;
 *   <li>no log although the deployment was formed, or one with nothing in it although this replica has answered for what
 *       was in it: the vote would be forgotten with it (C16);
 *   <li>a cell's log that begins above index 1 without a snapshot to begin from (C15).
 * </ol>
 *
 * A snapshot that is ahead of the log, which a crash can leave, is no damage: the log is moved up to it (C12, C69).
 *
 * <p>Hold a {@link DirectoryLock} while it is open.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class DataDirectory implements Closeable {
    /** Directory of the log in the data directory. */
    public static final String LOG_DIRECTORY = "log";

    private final Disk disk;
    private final WriteAheadLog log;
    private final Map<CellId, FileSnapshotStore> snapshots = new TreeMap<>();
    private final Map<CellId, RecoveredCell> cells = new TreeMap<>();
    private ReplicaIdentity identity;

    /**
     * What was found for one cell.
     *
     * @param snapshot the newest one, its index at or above the log's base
     * @param log reaches to the snapshot's index at least
     */
    public record RecoveredCell(Optional<SnapshotMeta> snapshot, RecoveredLog log) {}

    private DataDirectory(Disk disk, ReplicaIdentity identity, WriteAheadLog log) {
        this.disk = disk;
        this.identity = identity;
        this.log = log;
    }

    /**
     * Opens a data directory, or makes a new one if it is empty. Blocks on the disk.
     *
     * @param deployment as configured
     * @param replicaName as configured
     * @param newIncarnation asked for a random string only if the directory is new
     * @param cells those to open; those that the log holds are opened as well
     */
    public static DataDirectory open(
            Disk disk,
            String deployment,
            String replicaName,
            Supplier<String> newIncarnation,
            SortedSet<CellId> cells,
            LogConfig config)
            throws IOException {
        boolean logExists = WriteAheadLog.exists(disk, LOG_DIRECTORY);
        Optional<ReplicaIdentity> found = IdentityFile.load(disk, deployment, replicaName);
        if (found.isEmpty()) {
            refuseDataWithoutIdentity(disk, logExists, cells);
            refuseForeignFiles(disk);
            found = Optional.of(ReplicaIdentity.fresh(deployment, replicaName, newIncarnation.get()));
            IdentityFile.store(disk, found.get());
        }
        ReplicaIdentity identity = found.get();
        if (identity.isFormed() && !logExists) {
            throw lostLog(disk, "missing");
        }
        WriteAheadLog log = WriteAheadLog.open(disk, LOG_DIRECTORY, identity.incarnation(), config);
        try {
            refuseLostLog(disk, identity, log);
            DataDirectory opened = new DataDirectory(disk, identity, log);
            opened.recover(cells);
            return opened;
        } catch (IOException | RuntimeException refused) {
            log.close();
            throw refused;
        }
    }

    /** A snapshot is no substitute: it does not know for whom this replica voted since. */
    private static void refuseLostLog(Disk disk, ReplicaIdentity identity, WriteAheadLog log)
            throws DamagedFileException {
        if (identity.started() && log.recovered().isEmpty()) {
            throw lostLog(disk, "empty");
        }
    }

    private static DamagedFileException lostLog(Disk disk, String state) {
        return new DamagedFileException(
                disk.describe(LOG_DIRECTORY),
                "the log is " + state + ", although " + disk.describe(IdentityFile.NAME)
                        + " says that this replica was in use. Its votes are lost: remove this replica from its"
                        + " cells, empty the data directory and add it again");
    }

    private static void refuseDataWithoutIdentity(Disk disk, boolean logExists, SortedSet<CellId> cells)
            throws IOException {
        boolean snapshotsExist = false;
        for (CellId cell : cells) {
            snapshotsExist |=
                    !disk.list(FileSnapshotStore.DIRECTORY + "/" + cell).isEmpty();
        }
        if (logExists || snapshotsExist) {
            String present = logExists ? LOG_DIRECTORY : FileSnapshotStore.DIRECTORY;
            throw new DamagedFileException(
                    disk.describe(IdentityFile.NAME),
                    "the identity is missing, but there is data in " + disk.describe(present));
        }
    }

    /** What a first start may find: its own lock, and what a crash left of a first start before it. */
    private static void refuseForeignFiles(Disk disk) throws IOException {
        for (String name : disk.list("")) {
            if (!name.equals(DirectoryLock.NAME) && !name.equals(IdentityFile.ASIDE)) {
                throw new DamagedFileException(
                        disk.describe(name),
                        "this file is not Holdfast's, and the directory holds no data of a replica; choose an empty"
                                + " directory");
            }
        }
    }

    private void recover(SortedSet<CellId> wanted) throws IOException {
        SortedSet<CellId> all = new TreeSet<>(wanted);
        all.addAll(log.recovered().keySet());
        RecoveredLog nothing = new RecoveredLog(HardState.INITIAL, 0, 0, List.of());
        for (CellId cell : all) {
            FileSnapshotStore store = new FileSnapshotStore(disk, cell, identity.incarnation());
            snapshots.put(cell, store);
            RecoveredLog found = log.recovered().getOrDefault(cell, nothing);
            cells.put(cell, join(cell, found, store.newest()));
        }
        log.sync();
    }

    private RecoveredCell join(CellId cell, RecoveredLog found, Optional<SnapshotMeta> newest) throws IOException {
        long snapshotIndex = newest.map(SnapshotMeta::index).orElse(0L);
        if (found.baseIndex() > snapshotIndex) {
            throw new DamagedFileException(
                    disk.describe(FileSnapshotStore.DIRECTORY + "/" + cell),
                    "the log of cell " + cell + " begins after index " + found.baseIndex()
                            + ", but "
                            + (newest.isEmpty()
                                    ? "there is no snapshot"
                                    : "the newest snapshot is at index " + snapshotIndex)
                            + ": a snapshot file is missing");
        }
        if (newest.isEmpty() || reaches(found, newest.get())) {
            return new RecoveredCell(newest, found);
        }
        // The crash came between storing the snapshot and recording that the log begins after it. What the log holds
        // beyond it belongs to another history, or there is nothing.
        SnapshotMeta meta = newest.get();
        log.moveUp(cell, meta.index(), meta.term());
        return new RecoveredCell(newest, new RecoveredLog(found.hardState(), meta.index(), meta.term(), List.of()));
    }

    private static boolean reaches(RecoveredLog found, SnapshotMeta meta) {
        if (meta.index() == found.baseIndex()) {
            return meta.term() == found.baseTerm();
        }
        long at = meta.index() - found.baseIndex() - 1;
        List<LogEntry> entries = found.entries();
        return at < entries.size() && entries.get((int) at).term() == meta.term();
    }

    public ReplicaIdentity identity() {
        return identity;
    }

    /** Records durably whom the deployment was formed with; only once. */
    public void recordFormed(List<ReplicaId> members) throws IOException {
        if (identity.isFormed() && !identity.formedMembers().equals(members)) {
            throw new IllegalStateException(
                    "the deployment was formed with " + identity.formedMembers() + ", not with " + members);
        }
        ReplicaIdentity formed = identity.formed(members);
        IdentityFile.store(disk, formed);
        identity = formed;
    }

    /**
     * Takes note of how many shards the deployment has: what is recorded must say the same. It is made durable with the members
     * ({@link #recordFormed}), or here if an older version formed the deployment without one.
     *
     * @throws ForeignDataException if the data belong to a deployment with another count
     */
    public void useShards(int count) throws IOException {
        if (identity.knowsShards() && identity.shards() != count) {
            throw new ForeignDataException(
                    disk.describe(IdentityFile.NAME) + ": this data belongs to a deployment with "
                            + identity.shards() + " shards, but the configuration says shards: " + count
                            + "; the count is fixed when a deployment is made");
        }
        ReplicaIdentity counted = identity.withShards(count);
        if (identity.isFormed() && !identity.knowsShards()) {
            IdentityFile.store(disk, counted);
        }
        identity = counted;
    }

    /** Records durably that this replica answers for what its log holds; a repeat does nothing. */
    public void recordStarted() throws IOException {
        if (!identity.started()) {
            ReplicaIdentity started = identity.asStarted();
            IdentityFile.store(disk, started);
            identity = started;
        }
    }

    /** What was found, by cell. The caller may let go of it with {@link #takeCells()}. */
    public Map<CellId, RecoveredCell> cells() {
        return cells;
    }

    /** As {@link #cells()}, and forgets it, so that the entries can be freed once the log is compacted. */
    public Map<CellId, RecoveredCell> takeCells() {
        Map<CellId, RecoveredCell> taken = new TreeMap<>(cells);
        cells.clear();
        return taken;
    }

    /** To be given to {@link GroupCommitLog#start}, which closes it, or used as it is. */
    public WriteAheadLog log() {
        return log;
    }

    /** The snapshots of a cell; the same object each time. */
    public FileSnapshotStore snapshots(CellId cell) {
        return snapshots.computeIfAbsent(cell, unseen -> new FileSnapshotStore(disk, cell, identity.incarnation()));
    }

    /** Closes the log. */
    @Override
    public void close() throws IOException {
        log.close();
    }
}
