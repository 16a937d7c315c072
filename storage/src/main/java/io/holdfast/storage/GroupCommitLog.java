package io.holdfast.storage;

import io.holdfast.raft.RaftOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link LogStore} of a running replica: one writer thread takes everything that waits, writes it to the
 * {@link WriteAheadLog}, does one fsync, and then runs the callbacks in order.
 *
 * <p><b>Thread:</b> any may call; the log itself is touched by the writer alone.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>A callback runs after the fsync that covers its request, in the order of the requests.
 *   <li>After {@link LogStore.Failure#fatal} no callback runs and nothing is written.
 * </ol>
 *
 * <p><b>Bounds:</b> one batch takes at most {@link #MAX_BATCH_BYTES} of entries or a single larger request. The queue has
 * no limit of its own: each core bounds its uncommitted bytes and its follower's appends, and so what can wait here.
 */
public final class GroupCommitLog implements LogStore, LogProgress {
    /** Entries that one fsync takes, so that a callback never waits for much more than its own data. */
    public static final int MAX_BATCH_BYTES = 4 << 20;

    /** How often a write is tried again while the disk is full. */
    public static final long RETRY_MILLIS = 500;

    /** How long {@link #close()} waits for the disk. */
    public static final long CLOSE_MILLIS = 3_000;

    private final WriteAheadLog log;
    private final Failure failure;
    private final LogListener listener;
    private final LongSupplier nanoClock;
    private final long retryMillis;
    private final Thread writer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by {@code lock}. */
    private final ArrayDeque<Request> queue = new ArrayDeque<>();
    /** Guarded by {@code lock}: the oldest request of the batch that is being written. */
    private @Nullable Request writing;
    /** Guarded by {@code lock}: no more requests are taken. */
    private boolean closing;

    /** Written by the writer after each batch. */
    private volatile Set<CellId> pinning;
    /** Written by the writer after each batch. */
    private volatile long sizeBytes;
    /** Written by the writer. */
    private volatile boolean full;

    /** Either an append or a rewrite; {@code sinceNanos} is when it was handed over. */
    private record Request(
            CellId cell,
            RaftOutput.@Nullable Persist append,
            @Nullable RecoveredLog rewrite,
            Runnable done,
            long sinceNanos) {
        long sizeBytes() {
            long bytes = 64;
            if (append != null) {
                for (var entry : append.entries()) {
                    bytes += entry.sizeBytes();
                }
            }
            if (rewrite != null) {
                for (var entry : rewrite.entries()) {
                    bytes += entry.sizeBytes();
                }
            }
            return bytes;
        }
    }

    private GroupCommitLog(
            WriteAheadLog log, Failure failure, LogListener listener, LongSupplier nanoClock, long retryMillis) {
        this.log = log;
        this.failure = failure;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.retryMillis = retryMillis;
        this.pinning = log.pinning();
        this.sizeBytes = log.sizeBytes();
        this.writer = new Thread(this::run, "holdfast-log");
        this.writer.setDaemon(true);
    }

    /**
     * Starts the writer. From here on the log belongs to it and is closed by {@link #close()}.
     *
     * @param failure told when the disk is full or the process must end
     */
    public static GroupCommitLog start(WriteAheadLog log, Failure failure, LogListener listener) {
        return start(log, failure, listener, System::nanoTime, RETRY_MILLIS);
    }

    static GroupCommitLog start(
            WriteAheadLog log, Failure failure, LogListener listener, LongSupplier nanoClock, long retryMillis) {
        GroupCommitLog store = new GroupCommitLog(log, failure, listener, nanoClock, retryMillis);
        store.writer.start();
        return store;
    }

    /** As {@link WriteAheadLog#recovered()}: let go when a cell's first request is written; asking later fails. */
    @Override
    public Map<CellId, RecoveredLog> recovered() {
        return log.recovered();
    }

    @Override
    public void persist(CellId cell, RaftOutput.Persist request, Runnable done) {
        enqueue(new Request(cell, request, null, done, nanoClock.getAsLong()));
    }

    @Override
    public void rewrite(CellId cell, RecoveredLog contents, Runnable done) {
        enqueue(new Request(cell, null, contents, done, nanoClock.getAsLong()));
    }

    private void enqueue(Request request) {
        lock.lock();
        try {
            if (!closing) {
                queue.addLast(request);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<CellId> pinning() {
        return pinning;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public long oldestUnconfirmedNanos() {
        lock.lock();
        try {
            Request oldest = writing == null ? queue.peekFirst() : writing;
            return oldest == null ? 0 : Math.max(0, nanoClock.getAsLong() - oldest.sinceNanos());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isDiskFull() {
        return full;
    }

    /**
     * Waits until the writer has ended, for {@link #CLOSE_MILLIS} at most. On a full disk what waits is given up, without
     * its callbacks.
     */
    @Override
    public void close() {
        boolean unused = endWithin(CLOSE_MILLIS);
    }

    /**
     * As {@link #close()}, for a time of the caller's. What was not confirmed when the time is over may be durable or not;
     * nobody was told that it is.
     *
     * @return false if the disk has not answered: the writer may write yet, so nobody else may open the log while this
     *     process lives
     */
    public boolean endWithin(long mostMillis) {
        stopTaking();
        if (Thread.currentThread() == writer) {
            return true;
        }
        boolean interrupted = false;
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        long leftNanos = endNanos - System.nanoTime();
        while (writer.isAlive() && leftNanos > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(writer, leftNanos);
            } catch (InterruptedException later) {
                interrupted = true;
            }
            leftNanos = endNanos - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !writer.isAlive();
    }

    private void stopTaking() {
        lock.lock();
        try {
            closing = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try (log) {
            List<Request> batch = takeBatch();
            while (!batch.isEmpty() && write(batch)) {
                batch = takeBatch();
            }
        } catch (IOException | RuntimeException fatal) {
            stopTaking();
            failure.fatal(fatal);
        } catch (Error fatal) {
            stopTaking();
            failure.fatal(new IllegalStateException("the log's writer failed", fatal));
            throw fatal;
        }
    }

    /** Everything that waits, up to the limit of a batch; empty when closing and nothing is left. */
    private List<Request> takeBatch() {
        List<Request> batch = new ArrayList<>();
        lock.lock();
        try {
            writing = null;
            while (queue.isEmpty() && !closing) {
                changed.awaitUninterruptibly();
            }
            long bytes = 0;
            Request request;
            while ((request = queue.peekFirst()) != null) {
                bytes += request.sizeBytes();
                if (bytes > MAX_BATCH_BYTES && !batch.isEmpty()) {
                    break;
                }
                batch.add(queue.removeFirst());
            }
            writing = batch.isEmpty() ? null : batch.get(0);
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Returns false if the store was closed while the disk was full. */
    private boolean write(List<Request> batch) throws IOException {
        for (Request request : batch) {
            if (request.append() != null) {
                log.append(request.cell(), request.append());
            } else if (request.rewrite() != null) {
                log.appendRewrite(request.cell(), request.rewrite());
            }
        }
        if (!sync(batch.size())) {
            return false;
        }
        pinning = log.pinning();
        sizeBytes = log.sizeBytes();
        for (Request request : batch) {
            request.done().run();
        }
        return true;
    }

    private boolean sync(int requests) throws IOException {
        while (true) {
            long startNanos = nanoClock.getAsLong();
            try {
                long bytes = log.sync();
                listener.synced(nanoClock.getAsLong() - startNanos, bytes, requests);
                if (full) {
                    full = false;
                    failure.roomAgain();
                }
                return true;
            } catch (DiskFullException noRoom) {
                if (!full) {
                    full = true;
                    failure.diskFull(noRoom);
                }
                if (!awaitRetry()) {
                    return false;
                }
            }
        }
    }

    /** Returns false when closing. */
    private boolean awaitRetry() {
        lock.lock();
        try {
            long leftNanos = TimeUnit.MILLISECONDS.toNanos(retryMillis);
            while (!closing && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return !closing;
        } catch (InterruptedException early) {
            return true;
        } finally {
            lock.unlock();
        }
    }
}
