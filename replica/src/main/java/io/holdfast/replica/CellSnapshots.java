package io.holdfast.replica;

import io.holdfast.cell.FrozenCell;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.RaftInput;
import io.holdfast.raft.RaftOutput.ReadChunk;
import io.holdfast.raft.RaftOutput.WriteChunk;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.RecoveredLog;
import io.holdfast.storage.SnapshotStore;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of a cell, sends pieces of them to peers, and keeps the cell from pinning old log segments.
 *
 * <p>The state is frozen on the loop, which costs next to nothing, and written by the worker; commits and KeepAlives go on
 * meanwhile (C100).
 *
 * <p><b>Thread:</b> the loop; what runs on the worker is marked. <b>Invariants:</b> (1) consensus hears of a snapshot only
 * when it is durable; (2) one is written at a time, and none while one is coming in; (3) a snapshot that cannot be written
 * harms nothing: the log stays, one notice is given, and it is tried again after a pause.
 */
final class CellSnapshots {
    private static final long PINNING_CHECK_NANOS = 1_000_000_000L;

    private final CellDriver driver;
    private final LoopShared shared;
    private final SnapshotIntake intake;
    private final SnapshotPolicy policy;
    /** Index of the newest snapshot. */
    private long newestIndex;
    /** Bytes of the entries applied since that. */
    private long bytesSince;

    private boolean writing;
    private boolean rewriting;
    private boolean failing;
    private boolean wanted;
    /** The cell still pinned old segments after a snapshot taken for that reason. */
    private boolean snapshotDidNotUnpin;

    private long retryAtNanos = Long.MIN_VALUE;
    private long pinningCheckNanos;

    CellSnapshots(CellDriver driver, LoopShared shared, @Nullable SnapshotMeta newest) {
        this.driver = driver;
        this.shared = shared;
        this.policy = shared.settings().snapshots();
        this.newestIndex = newest == null ? 0 : newest.index();
        this.pinningCheckNanos = shared.now() + PINNING_CHECK_NANOS;
        this.intake = new SnapshotIntake(driver, shared, this::installed);
    }

    void applied(LogEntry entry) {
        bytesSince += entry.sizeBytes();
    }

    long nextDeadlineNanos() {
        long deadline = Math.min(pinningCheckNanos, intake.nextDeadlineNanos());
        // While another one is coming in nothing is tried: a deadline in the past would turn the loop without a pause.
        boolean retries = isDue() && !writing && failing && !intake.isBusy();
        return retries ? Math.min(deadline, retryAtNanos) : deadline;
    }

    void tick() {
        intake.tick();
    }

    /** Everything that consensus asked to persist has been handed to the log store. */
    void whenQuiet() {
        if (shared.now() >= pinningCheckNanos) {
            pinningCheckNanos = shared.now() + PINNING_CHECK_NANOS;
            unpin();
        }
        if (isDue() && !writing && !intake.isBusy() && shared.now() >= retryAtNanos) {
            take();
        }
    }

    private long appliedSince() {
        return driver.machine().appliedIndex() - newestIndex;
    }

    private boolean isDue() {
        long entries = appliedSince();
        return entries > 0 && (wanted || entries >= policy.entries() || bytesSince >= policy.logBytes());
    }

    // ---- taking one

    private void take() {
        intake.forget();
        writing = true;
        wanted = false;
        SnapshotMeta meta = new SnapshotMeta(
                driver.machine().appliedIndex(), driver.machine().appliedTerm(), driver.appliedMembership());
        long bytesCovered = bytesSince;
        long frozenNanos = shared.now();
        FrozenCell frozen = driver.machine().freeze();
        shared.onWorker(() -> {
            Exception failure = write(meta, frozen);
            shared.post(() -> written(meta, bytesCovered, frozenNanos, failure));
        });
    }

    /** On the worker. */
    private @Nullable Exception write(SnapshotMeta meta, FrozenCell frozen) {
        try {
            SnapshotStore store = driver.cell().snapshots();
            try (SnapshotStore.Writer writer = store.begin(meta)) {
                OutputStream out = new SnapshotStreams.Out(writer);
                frozen.writeTo(out);
                out.flush();
                writer.commit();
            }
            intake.prune(policy.keepFiles());
            return null;
        } catch (IOException failure) {
            return failure;
        }
    }

    private void written(SnapshotMeta meta, long bytesCovered, long frozenNanos, @Nullable Exception failure) {
        writing = false;
        if (failure != null) {
            retryAtNanos = shared.now() + policy.retryNanos();
            if (!failing) {
                shared.seams()
                        .listener()
                        .notice("cell " + driver.id() + ": a snapshot could not be written ("
                                + failure.getMessage() + "); the log grows until one can, next attempt in "
                                + policy.retryNanos() / 1_000_000_000L + " s");
            }
            failing = true;
            return;
        }
        shared.meter().snapshotWritten(driver.id(), shared.now() - frozenNanos);
        if (failing) {
            failing = false;
            shared.seams().listener().notice("cell " + driver.id() + ": snapshots can be written again");
        }
        if (meta.index() > newestIndex) {
            newestIndex = meta.index();
            bytesSince -= bytesCovered;
            driver.step(new RaftInput.SnapshotTaken(meta, compactTo(meta.index())));
        }
    }

    /** Keeps some entries before the snapshot, bounded in number and bytes. */
    private long compactTo(long index) {
        List<LogEntry> entries = driver.core().retainedEntries();
        long keepFrom = index + 1;
        long bytes = 0;
        for (int i = entries.size() - 1; i >= 0; i--) {
            LogEntry entry = entries.get(i);
            if (entry.index() > index) {
                continue;
            }
            bytes += entry.sizeBytes();
            if (index - entry.index() >= policy.trailingEntries() || bytes > policy.logBytes() / 4) {
                break;
            }
            keepFrom = entry.index();
        }
        return Math.max(driver.core().baseIndex(), keepFrom - 1);
    }

    // ---- old segments

    /** A quiet cell must not keep the log of busy ones from shrinking (R8.3). */
    private void unpin() {
        if (writing || wanted || rewriting) {
            return;
        }
        if (!shared.seams().log().pinning().contains(driver.id())) {
            snapshotDidNotUnpin = false;
        } else if (appliedSince() > 0 && !snapshotDidNotUnpin) {
            snapshotDidNotUnpin = true;
            wanted = true;
        } else {
            rewrite();
        }
    }

    /** Only when all that was to be persisted is queued before it, so that the record says the same as those did. */
    private void rewrite() {
        if (driver.core().hasOutput()) {
            return;
        }
        rewriting = true;
        RecoveredLog contents = new RecoveredLog(
                driver.core().hardState(),
                driver.core().baseIndex(),
                driver.core().baseTerm(),
                driver.core().retainedEntries());
        shared.seams().log().rewrite(driver.id(), contents, () -> shared.post(() -> rewriting = false));
    }

    // ---- pieces for and from peers

    void write(WriteChunk chunk) {
        intake.write(chunk);
    }

    private void installed(SnapshotMeta meta) {
        newestIndex = meta.index();
        bytesSince = 0;
    }

    /** Reads a piece of a snapshot for a peer. */
    void read(ReadChunk request) {
        shared.onWorker(() -> {
            RaftInput answer = readPiece(request);
            shared.post(() -> driver.step(answer));
        });
    }

    /** On the worker. */
    private RaftInput readPiece(ReadChunk request) {
        try {
            SnapshotStore store = driver.cell().snapshots();
            int maxBytes = shared.settings().raft().snapshotChunkBytes();
            Optional<byte[]> data = store.read(request.meta(), request.offset(), maxBytes);
            Optional<Long> size = store.sizeBytes(request.meta());
            if (data.isPresent() && size.isPresent()) {
                boolean last = request.offset() + data.get().length >= size.get();
                return new RaftInput.ChunkRead(request.peer(), request.meta(), request.offset(), data.get(), last);
            }
        } catch (IOException unreadable) {
            String message = "cell " + driver.id() + ": the snapshot of index "
                    + request.meta().index() + " cannot be read for "
                    + request.peer().name() + ": "
                    + unreadable.getMessage();
            shared.post(() -> shared.notices().say(message, shared.now()));
        }
        return new RaftInput.ChunkUnavailable(request.peer(), request.meta());
    }
}
