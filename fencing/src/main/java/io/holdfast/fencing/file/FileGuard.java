package io.holdfast.fencing.file;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.GuardFailedException;
import io.holdfast.fencing.GuardedWrite;
import io.holdfast.fencing.LockName;
import io.holdfast.fencing.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A guard on a file, for a resource on the disk beside it: safe for several processes of one machine, and remembers across
 * their crashes and a power cut. The directory must be on a local disk: the operating system's file lock and rename must
 * mean what they say. Use one file per resource: all locks in one file wait for each other.
 *
 * <p>Beside {@code FILE} lie {@code FILE.lock}, which is never deleted, and for moments {@code FILE.new}. Deleting
 * {@code FILE} forgets the fences.
 *
 * <p><b>Thread:</b> any, in any process; several guards may be made for one file.
 *
 * <p><b>Invariants:</b> those of {@link FencingGuard}, and:
 * <ol>
 *   <li>A token is durable before it counts as accepted.
 *   <li>A file that cannot be read, or is damaged, refuses all: it is never taken for an empty one.
 * </ol>
 *
 * <p><b>Source:</b> R4.7.
 */
public final class FileGuard implements FencingGuard {
    /** Locks that one file remembers: it is written as a whole whenever a fence rises. */
    public static final int MAX_LOCKS = 1_000;

    private final DurableFile file;
    private final ProcessTurn turn;
    private final LongAdder rejections = new LongAdder();
    /**
     * What this guard itself has made durable; written in its turn. Content that another process left may be visible and
     * not yet durable, if that process died between its rename and its fsync.
     */
    private byte @Nullable [] durable;

    /**
     * A guard on a file in an existing directory.
     *
     * @param file need not exist yet
     * @throws GuardFailedException if the directory does not exist
     */
    public FileGuard(Path file) {
        Path resolved = resolved(file);
        this.file = new DurableFile(resolved);
        this.turn = new ProcessTurn(resolved.resolveSibling(resolved.getFileName() + ".lock"));
    }

    private static Path resolved(Path file) {
        try {
            Path absolute = file.toAbsolutePath();
            Path directory = absolute.getParent();
            if (directory == null || Files.isDirectory(absolute)) {
                throw new IllegalArgumentException("a guard's file must not be a directory: " + file);
            }
            return Files.exists(absolute)
                    ? absolute.toRealPath()
                    : directory.toRealPath().resolve(absolute.getFileName());
        } catch (IOException e) {
            throw new GuardFailedException("the directory of the guard's file " + file + " cannot be opened: " + e, e);
        }
    }

    /** As {@link FencingGuard#check}; durable when it returns. */
    @Override
    public void check(Grant grant) {
        guarded(grant, () -> grant);
    }

    /**
     * As {@link FencingGuard#guarded}; the token is durable before the write begins. Waits, without a bound, for a write in
     * any process that has begun, also while that process is stopped; when it dies the wait ends.
     */
    @Override
    public <T extends @Nullable Object, X extends Exception> T guarded(Grant grant, GuardedWrite<T, X> write) throws X {
        Objects.requireNonNull(grant, "a guard needs a grant, not null");
        if (turn.isMine()) {
            throw new IllegalStateException("a guarded write must not ask its own guard, the one on " + file);
        }
        try (ProcessTurn.Taken taken = take()) {
            accept(grant);
            return write.run();
        }
    }

    private ProcessTurn.Taken take() {
        try {
            return turn.take();
        } catch (IOException e) {
            throw new GuardFailedException("the lock beside the guard's file " + file + " cannot be taken: " + e, e);
        }
    }

    private void accept(Grant grant) {
        byte[] before = read();
        SortedMap<LockName, Fence> fences = decoded(before);
        Fence fence = fences.getOrDefault(grant.lock(), Fence.NONE);
        if (!fence.admits(grant)) {
            rejections.increment();
            throw new StaleTokenException(grant, fence.lowest(grant.mode()));
        }
        if (fences.size() >= MAX_LOCKS && !fences.containsKey(grant.lock())) {
            throw new GuardFailedException("the guard's file " + file + " remembers " + MAX_LOCKS
                    + " locks, the most that it may, and '" + grant.lock() + "' is a new one: use another file for it");
        }
        Fence raised = fence.raisedBy(grant);
        if (!raised.equals(fence) || !Arrays.equals(before, durable)) {
            fences.put(grant.lock(), raised);
            replace(FenceFormat.encode(fences));
        }
    }

    private void replace(byte[] content) {
        try {
            durable = null;
            file.replace(content);
            durable = content;
        } catch (IOException e) {
            throw new GuardFailedException("the guard's file " + file + " cannot be written: " + e, e);
        }
    }

    private byte @Nullable [] read() {
        try {
            return file.read();
        } catch (IOException e) {
            throw new GuardFailedException("the guard's file " + file + " cannot be read: " + e, e);
        }
    }

    private SortedMap<LockName, Fence> decoded(byte @Nullable [] content) {
        if (content == null) {
            return new TreeMap<>();
        }
        try {
            return FenceFormat.decode(content);
        } catch (IllegalArgumentException e) {
            throw new GuardFailedException(
                    "the guard's file " + file + " is damaged: " + e.getMessage()
                            + "; all writes are refused. Restore it; or end all old holders, then delete it",
                    e);
        }
    }

    /** As {@link FencingGuard#fence}; waits for nobody. */
    @Override
    public Fence fence(LockName lock) {
        return decoded(read()).getOrDefault(lock, Fence.NONE);
    }

    @Override
    public long rejections() {
        return rejections.sum();
    }
}
