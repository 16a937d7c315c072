package io.holdfast.client.session;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Things that are due at a time, soonest first, in order of arrival at one time. */
final class Deadlines<T> {
    /** No deadline. */
    static final long NEVER = Long.MAX_VALUE;

    private final TreeMap<Key, T> queue = new TreeMap<>();
    private long sequence;

    record Key(long atNanos, long sequence) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    /** {@code now + nanos}; {@link #NEVER} where that overflows (C103). */
    static long after(long nowNanos, long nanos) {
        long sum = nowNanos + nanos;
        return nanos > 0 && sum < nowNanos ? NEVER : sum;
    }

    /** The key to remove it by; null if it has no deadline. */
    @Nullable
    Key add(long atNanos, T item) {
        if (atNanos == NEVER) {
            return null;
        }
        Key key = new Key(atNanos, sequence++);
        queue.put(key, item);
        return key;
    }

    void remove(@Nullable Key key) {
        if (key != null) {
            queue.remove(key);
        }
    }

    @Nullable
    T pollDue(long nowNanos) {
        Map.Entry<Key, T> first = queue.firstEntry();
        if (first == null || first.getKey().atNanos() > nowNanos) {
            return null;
        }
        queue.remove(first.getKey());
        return first.getValue();
    }

    long next() {
        return queue.isEmpty() ? NEVER : queue.firstKey().atNanos();
    }

    void clear() {
        queue.clear();
    }
}
