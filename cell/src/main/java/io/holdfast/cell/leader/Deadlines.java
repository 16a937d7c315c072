package io.holdfast.cell.leader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines that may be moved away, by key. Moving one is O(1): the heap learns of it only when the old deadline comes up,
 * so each move costs at most one step of O(log n) later.
 *
 * <p>A deadline that has passed is <i>due</i>; it can no more be moved, and is reported again every
 * {@link #REPEAT_NANOS} until it is removed.
 *
 * <p><b>Thread:</b> one at a time.
 *
 * <p><b>Invariants:</b> 1. A deadline never moves back (R1.3). 2. Each key has one current entry in the heap, at or before
 * its deadline.
 */
final class Deadlines<K extends Comparable<K>> {
    /** How soon something due is reported again: a proposal may have been refused or lost. */
    static final long REPEAT_NANOS = 1_000_000_000L;

    private static final class Timer<K> {
        final K key;
        final long lengthNanos;
        long deadlineNanos;
        boolean due;

        @Nullable
        Wake<K> wake;

        Timer(K key, long lengthNanos, long deadlineNanos) {
            this.key = key;
            this.lengthNanos = lengthNanos;
            this.deadlineNanos = deadlineNanos;
        }
    }

    /** An entry of the heap; it counts only while it is its timer's. */
    private record Wake<K>(Timer<K> timer, long atNanos) {}

    private final Map<K, Timer<K>> timers = new LinkedHashMap<>();
    private final PriorityQueue<Wake<K>> heap = new PriorityQueue<>(Deadlines::compareWakes);

    private static <K extends Comparable<K>> int compareWakes(Wake<K> a, Wake<K> b) {
        // A difference, since a monotonic clock's origin is arbitrary and the number may wrap.
        long difference = a.atNanos() - b.atNanos();
        return difference != 0 ? Long.signum(difference) : a.timer().key.compareTo(b.timer().key);
    }

    void clear() {
        timers.clear();
        heap.clear();
    }

    int size() {
        return timers.size();
    }

    /** Starts a deadline; one that runs already for the key stays as it is. */
    void start(K key, long lengthNanos, long nowNanos) {
        Timer<K> timer = new Timer<>(key, lengthNanos, nowNanos + lengthNanos);
        if (timers.putIfAbsent(key, timer) == null) {
            wakeAt(timer, timer.deadlineNanos);
        }
    }

    /** @return whether there was one */
    boolean remove(K key) {
        Timer<K> timer = timers.remove(key);
        if (timer == null) {
            return false;
        }
        timer.wake = null;
        dropDeadWakes();
        return true;
    }

    /** Wakes whose timers are gone would pile up while sessions come and go within one lease. */
    private void dropDeadWakes() {
        if (heap.size() > 2 * timers.size() + 64) {
            heap.removeIf(wake -> wake.timer().wake != wake);
        }
    }

    /**
     * Moves a deadline to a full length from now, never back.
     *
     * @return false if there is none or it is due already
     */
    boolean renew(K key, long nowNanos) {
        Timer<K> timer = timers.get(key);
        if (timer == null || timer.due) { // R3.2: nothing renews what is due
            return false;
        }
        extendTo(timer, nowNanos + timer.lengthNanos);
        return true;
    }

    private static <K> void extendTo(Timer<K> timer, long deadlineNanos) {
        if (deadlineNanos - timer.deadlineNanos > 0) { // R1.3: a deadline never moves back
            timer.deadlineNanos = deadlineNanos;
        }
    }

    /** R1.3: this process stood still, so nobody could reach it: all deadlines that are not due yet move on. */
    void paused(long gapNanos) {
        for (Timer<K> timer : timers.values()) {
            if (!timer.due) {
                extendTo(timer, timer.deadlineNanos + Math.min(gapNanos, timer.lengthNanos));
            }
        }
    }

    /** Marks what has passed as due, and returns what is due and has not been returned within {@link #REPEAT_NANOS}. */
    List<K> due(long nowNanos) {
        List<K> due = new ArrayList<>();
        for (Wake<K> next = settledHead(); next != null && next.atNanos() - nowNanos <= 0; next = settledHead()) {
            heap.remove();
            Timer<K> timer = next.timer();
            timer.due = true;
            wakeAt(timer, nowNanos + REPEAT_NANOS);
            due.add(timer.key);
        }
        return due;
    }

    /** When {@link #due} will next return something; {@link Long#MAX_VALUE} if there is nothing. */
    long nextNanos() {
        Wake<K> next = settledHead();
        return next == null ? Long.MAX_VALUE : next.atNanos();
    }

    /** The first wake that is its timer's present one. */
    private @Nullable Wake<K> settledHead() {
        for (Wake<K> head = heap.peek(); head != null; head = heap.peek()) {
            Timer<K> timer = head.timer();
            if (timer.wake != head) {
                heap.remove();
            } else if (isStale(head)) {
                heap.remove();
                wakeAt(timer, timer.deadlineNanos);
            } else {
                return head;
            }
        }
        return null;
    }

    /** It was planned for a deadline that has moved since; what is due wakes at its deadline or later, never before (R2.8). */
    private static <K> boolean isStale(Wake<K> wake) {
        long late = wake.timer().deadlineNanos - wake.atNanos();
        return wake.timer().due ? late > 0 : late != 0;
    }

    private void wakeAt(Timer<K> timer, long atNanos) {
        timer.wake = new Wake<>(timer, atNanos);
        heap.add(timer.wake);
    }

    /**
     * Whether a deadline is due, or has passed and is due from now on: nothing moves it any more, and {@link #due} returns it the
     * next time that it is asked.
     */
    boolean settle(K key, long nowNanos) {
        Timer<K> timer = timers.get(key);
        if (timer == null) {
            return false;
        }
        timer.due |= timer.deadlineNanos - nowNanos <= 0;
        return timer.due;
    }

    boolean isDue(K key) {
        Timer<K> timer = timers.get(key);
        return timer != null && timer.due;
    }

    /** What is left, 0 to the full length; 0 if it is due or there is none. */
    long remainingNanos(K key, long nowNanos) {
        Timer<K> timer = timers.get(key);
        if (timer == null || timer.due) {
            return 0;
        }
        return Math.max(0, Math.min(timer.lengthNanos, timer.deadlineNanos - nowNanos));
    }
}
