package io.holdfast.cell.leader;

import io.holdfast.cell.SessionLease;
import io.holdfast.cell.base.Invariants;
import io.holdfast.model.SessionId;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Sessions that may still cache what earlier leaders let them: what exactly is not known, so no value is written until each has
 * acknowledged this term, has ended, or its whole lease has passed since the takeover (R6.6).
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. Nobody is added after the takeover: who opens its session later caches nothing older. 2. A session that was
 * waited for in vain still has to acknowledge.
 */
final class EarlierCaches {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** Who has not acknowledged, and the end of what an earlier leader can have promised to it. */
    private final TreeMap<SessionId, Long> endOf = new TreeMap<>();
    /** Of those, who is waited for. */
    private final TreeSet<Wake> awaited = new TreeSet<>();

    void takeover(Iterable<SessionLease> sessions, long nowNanos) {
        Invariants.check(endOf.isEmpty(), "a term is taken over once");
        for (SessionLease session : sessions) {
            if (session.caching()) {
                long end = nowNanos + session.leaseMillis() * NANOS_PER_MILLI; // R6.6: one cache lease, in full
                endOf.put(session.session(), end);
                awaited.add(new Wake(end, session.session()));
            }
        }
    }

    /** Whether anybody is waited for. */
    boolean areAwaited() {
        return !awaited.isEmpty();
    }

    boolean contains(SessionId session) {
        return endOf.containsKey(session);
    }

    /** It has acknowledged or ended; whether it was waited for. */
    boolean remove(SessionId session) {
        Long end = endOf.remove(session);
        return end != null && awaited.remove(new Wake(end, session));
    }

    /** Waits no more for those whose lease is over; whether there was one. */
    boolean lapse(long nowNanos) {
        boolean any = false;
        while (!awaited.isEmpty() && awaited.first().atNanos() - nowNanos <= 0) {
            awaited.pollFirst();
            any = true;
        }
        return any;
    }

    long nextDeadlineNanos() {
        return awaited.isEmpty() ? Long.MAX_VALUE : awaited.first().atNanos();
    }

    /** Who has not acknowledged, and until when it is waited for. */
    Set<Map.Entry<SessionId, Long>> unacknowledged() {
        return endOf.entrySet();
    }
}
