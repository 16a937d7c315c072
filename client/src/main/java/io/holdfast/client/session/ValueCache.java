package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client remembers of values that it read: the value, or that there is none. It answers only while that is the newest
 * committed one: a write waits until it was let go of here, or the cache lease is over.
 *
 * <p><b>Thread:</b> the machine's. {@link #counts()} any.
 *
 * <p><b>Invariants:</b> 1. It answers only while the session is SAFE, the cache lease runs, and the stream on which the value came is
 * the present one, which speaks for the session (R6.2). 2. What it holds came under the present attachment and epoch. 3. It is empty
 * before another stream is asked for, or the session bound again (R6.4), and in jeopardy (R6.5). 4. What an acknowledgement names is
 * gone from before it is sent (R6.3). 5. At most so many bytes; what was used longest ago goes first.
 *
 * <p><b>Source:</b> R6.2–R6.6, ADR 0014.
 */
final class ValueCache {
    /** About what an entry takes beside its path and value. */
    static final int ENTRY_BYTES = 200;

    private final long maxBytes;
    private final Trust trust;
    private final Outbox outbox;
    private final CacheCounts counts = new CacheCounts();
    private final LinkedHashMap<NodePath, Answer.Value> values = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private boolean bound;
    private long attachment;
    private long epoch;
    /** Monotonic nanos; {@link Long#MIN_VALUE} if there is no cache lease. */
    private long leaseEndsAt = Long.MIN_VALUE;

    /** @param maxBytes 0 for no cache */
    ValueCache(long maxBytes, Trust trust, Outbox outbox) {
        this.maxBytes = maxBytes;
        this.trust = trust;
        this.outbox = outbox;
    }

    boolean isOn() {
        return maxBytes > 0;
    }

    /** The stream speaks for the session now, and nothing is cached of any earlier one. */
    void bound(long byAttachment, long atEpoch) {
        bound = true;
        attachment = byAttachment;
        epoch = atEpoch;
        if (isOn()) {
            outbox.send(new ClientFrame.CacheAck(epoch, 0)); // R6.6: nothing of an earlier epoch is left
        }
    }

    /** The stream is lost, or no longer speaks for the session: before another one is asked for (R6.4). */
    void unbound() {
        bound = false;
        empty();
    }

    /** R6.5: not just passed by. */
    void empty() {
        leaseEndsAt = Long.MIN_VALUE;
        values.clear();
        bytes = 0;
        counts.hold(0, 0);
    }

    /** A KeepAlive of the present stream was confirmed, and the cache lease with it (R6.2). */
    void extendTo(long expiryNanos, long atEpoch) {
        if (bound && atEpoch == epoch) {
            leaseEndsAt = Math.max(leaseEndsAt, expiryNanos);
        }
    }

    private boolean mayAnswerAt(long now) {
        return bound && now < leaseEndsAt && trust.safeAt(now); // R6.2, R6.5
    }

    /** What is cached and may be believed now; null if the cell has to be asked. */
    Answer.@Nullable Value find(NodePath path, long now) {
        if (!isOn()) {
            return null;
        }
        Answer.Value found = mayAnswerAt(now) ? values.get(path) : null;
        counts.asked(found != null);
        return found;
    }

    /** An answer that the leader lets be cached. */
    void fill(Answer answer, ServerFrame.Fill fill, long now) {
        boolean current = bound && fill.attachment() == attachment && fill.epoch() == epoch; // R6.2
        if (!current || !trust.safeAt(now) || !(answer instanceof Answer.Value value)) {
            return;
        }
        forget(value.path());
        long size = sizeOf(value);
        if (size <= maxBytes) {
            values.put(value.path(), value);
            bytes += size;
            evict();
        }
        counts.hold(values.size(), bytes);
    }

    private void evict() {
        Iterator<Map.Entry<NodePath, Answer.Value>> oldest = values.entrySet().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            bytes -= sizeOf(oldest.next().getValue());
            oldest.remove();
        }
    }

    private static long sizeOf(Answer.Value value) {
        byte[] content = value.value();
        return ENTRY_BYTES + 2L * value.path().value().length() + (content == null ? 0 : content.length);
    }

    private void forget(NodePath path) {
        Answer.Value gone = values.remove(path);
        bytes -= gone == null ? 0 : sizeOf(gone);
    }

    /** Lets go of what is named, and says so. */
    void invalidate(ServerFrame.Invalidate invalidate) {
        invalidate.paths().forEach(this::forget);
        counts.invalidated(invalidate.paths().size());
        counts.hold(values.size(), bytes);
        if (bound) { // else the next attach says so (R6.4)
            outbox.send(new ClientFrame.CacheAck(epoch, invalidate.number())); // R6.3: after it is gone
        }
    }

    CacheCounts counts() {
        return counts;
    }
}
