package io.holdfast.proxy.core;

import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.FrameSize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait for a leader, in the order of their arrival.
 *
 * <p><b>Invariants:</b> bounded by frames for each stream and by bytes for all; arrival times never fall.
 */
final class WaitingFrames {
    record Waiting(long stream, ClientFrame frame, long arrivedNanos) {}

    private final FrontEndConfig.Bounds bounds;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private final Map<Long, Integer> countOf = new TreeMap<>();
    private long bytes;

    WaitingFrames(FrontEndConfig.Bounds bounds) {
        this.bounds = bounds;
    }

    /** Adds a frame; false if too much waits. */
    boolean add(long stream, ClientFrame frame, long nowNanos) {
        int count = countOf.getOrDefault(stream, 0);
        int size = FrameSize.of(frame);
        if (count >= bounds.maxWaitingFrames() || bytes + size > bounds.maxWaitingBytes()) {
            return false;
        }
        queue.add(new Waiting(stream, frame, nowNanos));
        countOf.put(stream, count + 1);
        bytes += size;
        return true;
    }

    @Nullable
    Waiting peek() {
        return queue.peek();
    }

    @Nullable
    Waiting poll() {
        Waiting first = queue.poll();
        if (first != null) {
            removed(first);
        }
        return first;
    }

    /** Takes out all frames of a stream, in order. */
    List<ClientFrame> removeStream(long stream) {
        List<ClientFrame> frames = new ArrayList<>();
        if (!countOf.containsKey(stream)) {
            return frames;
        }
        for (Iterator<Waiting> each = queue.iterator(); each.hasNext(); ) {
            Waiting waiting = each.next();
            if (waiting.stream() == stream) {
                each.remove();
                removed(waiting);
                frames.add(waiting.frame());
            }
        }
        return frames;
    }

    int size() {
        return queue.size();
    }

    private void removed(Waiting waiting) {
        bytes -= FrameSize.of(waiting.frame());
        countOf.computeIfPresent(waiting.stream(), (stream, count) -> count == 1 ? null : count - 1);
    }
}
