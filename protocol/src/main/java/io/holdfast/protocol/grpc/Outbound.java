package io.holdfast.protocol.grpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits to be written to one stream: bounded by bytes, in order, written only while the stream takes more.
 *
 * <p><b>Thread:</b> any thread offers; all writing happens on the executor given, which must run one task at a time.
 *
 * <p><b>Invariants:</b> (1) what waits is at most the bound; (2) frames are written in the order in which they were
 * accepted; (3) nothing is written after {@link #cancel}; (4) an accepted frame is written, unless cancelled.
 *
 * @param <F> frames
 */
public final class Outbound<F> {
    private static final Logger log = LoggerFactory.getLogger(Outbound.class);

    /** The stream that is written to. Called on the executor only. */
    public interface Wire<F> {
        /** Whether the stream takes more now; if not, {@link Outbound#flowing} is called when it does again. */
        boolean isReady();

        /** Writes frames, one or more. */
        void write(List<F> frames);

        /** Ends the stream properly; called once, after the last frame. */
        void complete();

        /** The stream failed while writing; nothing more will be written. */
        void failed(RuntimeException cause);
    }

    /**
     * Bounds.
     *
     * @param maxBytes most that may wait
     * @param batchFrames most frames in one write
     * @param batchBytes a write ends with the frame that reaches this size
     */
    public record Bounds(long maxBytes, int batchFrames, int batchBytes) {}

    private record Waiting<F>(F frame, int bytes) {}

    private enum State {
        OPEN,
        CLOSING,
        ENDED
    }

    private final Executor executor;
    private final Bounds bounds;
    private final Wire<F> wire;

    private final ArrayDeque<Waiting<F>> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private State state = State.OPEN;
    /** A drain is under way or about to be. */
    private boolean scheduled;
    /** The stream takes no more; a drain comes when it says so. */
    private boolean blocked;

    public Outbound(Executor executor, Bounds bounds, Wire<F> wire) {
        this.executor = executor;
        this.bounds = bounds;
        this.wire = wire;
    }

    /** Accepts a frame, or returns false: the stream has ended, or too much waits. */
    public boolean offer(F frame, int bytes) {
        synchronized (this) {
            if (state != State.OPEN || waitingBytes + bytes > bounds.maxBytes()) {
                return false;
            }
            waiting.add(new Waiting<>(frame, bytes));
            waitingBytes += bytes;
            if (scheduled || blocked) {
                return true;
            }
            scheduled = true;
        }
        schedule();
        return true;
    }

    /** How much waits. */
    public synchronized long waitingBytes() {
        return waitingBytes;
    }

    /** The stream takes more again. */
    public void flowing() {
        synchronized (this) {
            blocked = false;
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        schedule();
    }

    /** Ends the stream after what was accepted. */
    public void close() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            state = State.CLOSING;
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        schedule();
    }

    /** Drops what waits; nothing is written any more. */
    public synchronized void cancel() {
        state = State.ENDED;
        waiting.clear();
        waitingBytes = 0;
    }

    private void schedule() {
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException e) {
            cancel();
        }
    }

    private void drain() {
        try {
            while (true) {
                List<F> batch = nextBatch();
                if (batch == null) {
                    return;
                }
                if (batch.isEmpty()) {
                    wire.complete();
                    return;
                }
                wire.write(batch);
            }
        } catch (RuntimeException e) {
            log.debug("writing to a stream failed", e);
            cancel();
            wire.failed(e);
        }
    }

    /** The next frames to write; empty if the stream is to be completed now, null if there is nothing to do. */
    private @Nullable List<F> nextBatch() {
        boolean ready = wire.isReady();
        synchronized (this) {
            if (state == State.ENDED || (waiting.isEmpty() && state == State.OPEN)) {
                scheduled = false;
                return null;
            }
            if (waiting.isEmpty()) {
                state = State.ENDED;
                scheduled = false;
                return List.of();
            }
            if (ready || becameReady()) {
                return takeBatch();
            }
            scheduled = false;
            return null;
        }
    }

    /** Marks the stream blocked, then looks once more: it may have become ready in between, and says so only once. */
    private boolean becameReady() {
        blocked = true;
        if (wire.isReady()) {
            blocked = false;
            return true;
        }
        return false;
    }

    private List<F> takeBatch() {
        List<F> batch = new ArrayList<>(Math.min(waiting.size(), bounds.batchFrames()));
        int bytes = 0;
        while (batch.size() < bounds.batchFrames() && bytes < bounds.batchBytes()) {
            Waiting<F> next = waiting.poll();
            if (next == null) {
                break;
            }
            batch.add(next.frame());
            bytes += next.bytes();
            waitingBytes -= next.bytes();
        }
        return batch;
    }
}
