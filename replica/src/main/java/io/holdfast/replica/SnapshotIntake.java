package io.holdfast.replica;

import io.holdfast.cell.CellStateMachine;
import io.holdfast.raft.RaftInput;
import io.holdfast.raft.RaftOutput.WriteChunk;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.SnapshotStore;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes in a snapshot from the leader, piece by piece.
 *
 * <p><b>Thread:</b> the loop; what runs on the worker is marked, and the worker alone uses {@code writer}.
 *
 * <p><b>Invariants:</b> (1) every piece is answered, or consensus would wait for ever; (2) consensus hears "installed" only
 * when the file is durable and the state machine was restored from it (C12); (3) the state machine in use is replaced on
 * the loop, in one step.
 */
final class SnapshotIntake {
    /** After a piece that could not be stored, consensus is told to ask again this much later. */
    private static final long RETRY_NANOS = 2_000_000_000L;
    /** A transfer that brought nothing for this long no longer keeps the replica from taking snapshots itself. */
    private static final long STALE_NANOS = 30_000_000_000L;

    private record Retry(SnapshotMeta meta, long nextOffset, long atNanos) {}

    private final CellDriver driver;
    private final LoopShared shared;
    private final Consumer<SnapshotMeta> onInstalled;
    private boolean active;
    private boolean failing;
    private long lastPieceNanos;
    private @Nullable Retry retry;
    /** The unfinished file; the worker's. */
    private SnapshotStore.@Nullable Writer writer;
    /** What it is a snapshot of; the worker's. */
    private @Nullable SnapshotMeta writerMeta;

    SnapshotIntake(CellDriver driver, LoopShared shared, Consumer<SnapshotMeta> onInstalled) {
        this.driver = driver;
        this.shared = shared;
        this.onInstalled = onInstalled;
    }

    /** Whether a snapshot is coming in. */
    boolean isBusy() {
        return active && shared.now() - lastPieceNanos < STALE_NANOS;
    }

    long nextDeadlineNanos() {
        return retry == null ? Long.MAX_VALUE : retry.atNanos();
    }

    void tick() {
        Retry due = retry;
        if (due != null && shared.now() >= due.atNanos()) {
            retry = null;
            driver.step(new RaftInput.ChunkWritten(due.meta(), due.nextOffset()));
        }
    }

    void write(WriteChunk chunk) {
        active = true;
        lastPieceNanos = shared.now();
        shared.onWorker(() -> store(chunk));
    }

    /** On the worker. */
    private void store(WriteChunk chunk) {
        try {
            SnapshotStore.Writer out = writerFor(chunk.meta());
            if (out.offset() == chunk.offset()) {
                out.write(chunk.data(), 0, chunk.data().length);
                if (chunk.last()) {
                    finish(chunk.meta(), out);
                    return;
                }
            }
            long next = out.offset();
            shared.post(() -> stored(chunk.meta(), next));
        } catch (IOException failure) {
            abandon();
            shared.post(() -> failed(chunk, failure));
        }
    }

    private SnapshotStore.Writer writerFor(SnapshotMeta meta) throws IOException {
        SnapshotStore.Writer open = writer;
        if (open != null && meta.equals(writerMeta)) {
            return open;
        }
        abandon();
        SnapshotStore.Writer resumed = driver.cell().snapshots().resume(meta);
        writer = resumed;
        writerMeta = meta;
        return resumed;
    }

    private void abandon() {
        SnapshotStore.Writer open = writer;
        writer = null;
        writerMeta = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException ignored) {
                // an unfinished file is of no use to anybody but a later resume
                return;
            }
        }
    }

    private void finish(SnapshotMeta meta, SnapshotStore.Writer out) throws IOException {
        out.commit(); // C12: durable before anybody hears of it
        abandon();
        CellStateMachine restored = SnapshotStreams.restore(driver.cell(), meta);
        shared.post(() -> installed(meta, restored));
    }

    private void installed(SnapshotMeta meta, CellStateMachine restored) {
        active = false;
        failing = false;
        driver.installed(meta, restored);
        onInstalled.accept(meta);
        shared.seams().listener().snapshotInstalled(driver.id(), meta.index());
        int keep = shared.settings().snapshots().keepFiles();
        shared.onWorker(() -> prune(keep));
    }

    /** On the worker. What cannot be deleted is in the way, but the newer snapshot is as good. */
    void prune(int keep) {
        try {
            driver.cell().snapshots().prune(keep);
        } catch (IOException failure) {
            shared.post(() -> shared.notices()
                    .say(
                            "cell " + driver.id() + ": old snapshots cannot be deleted: " + failure.getMessage(),
                            shared.now()));
        }
    }

    /** Gives up a transfer that went stale; pruning will delete its file. */
    void forget() {
        if (active) {
            active = false;
            shared.onWorker(this::abandon);
        }
    }

    private void stored(SnapshotMeta meta, long nextOffset) {
        failing = false;
        driver.step(new RaftInput.ChunkWritten(meta, nextOffset));
    }

    private void failed(WriteChunk chunk, IOException failure) {
        if (!failing) {
            shared.seams()
                    .listener()
                    .notice("cell " + driver.id() + ": the snapshot of index "
                            + chunk.meta().index() + " from the leader cannot be stored: " + failure.getMessage()
                            + "; it is tried again");
        }
        failing = true;
        retry = new Retry(chunk.meta(), chunk.offset(), shared.now() + RETRY_NANOS);
    }
}
