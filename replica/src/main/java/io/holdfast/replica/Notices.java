package io.holdfast.replica;

import java.util.Map;
import java.util.TreeMap;

/**
 * Lines for operators, each said at most once a minute.
 *
 * <p><b>Thread:</b> the loop.
 */
final class Notices {
    static final long REPEAT_NANOS = 60_000_000_000L;
    private static final int MAX_REMEMBERED = 256;

    private final ReplicaListener listener;
    private final Map<String, Long> saidAtNanos = new TreeMap<>();

    Notices(ReplicaListener listener) {
        this.listener = listener;
    }

    /** Says it, unless the same was said less than a minute ago. */
    void say(String message, long nowNanos) {
        Long before = saidAtNanos.get(message);
        if (before != null && nowNanos - before < REPEAT_NANOS) {
            return;
        }
        if (saidAtNanos.size() >= MAX_REMEMBERED) {
            saidAtNanos.clear();
        }
        saidAtNanos.put(message, nowNanos);
        listener.notice(message);
    }
}
