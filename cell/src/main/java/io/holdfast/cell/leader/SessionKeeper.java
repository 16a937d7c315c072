package io.holdfast.cell.leader;

import io.holdfast.cell.SessionLease;
import io.holdfast.model.SessionId;
import java.util.List;

/**
 * The leader's deadlines of all sessions (R3.2). Never replicated, never older than the leader's term.
 *
 * <p>A session whose deadline has passed is <i>expiring</i> from the call of {@link #due} that finds it so. Until that call
 * it can still be renewed: KeepAlives that wait for their leadership check are settled first (R2.8).
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. A deadline never moves back (R1.3). 2. An expiring session is never renewed (R3.2, R3.5).
 *
 * <p><b>Source:</b> R1.3, R3.2, R3.3, R3.5, C22.
 */
public final class SessionKeeper {
    static final long NANOS_PER_MILLI = 1_000_000L;

    private final Deadlines<SessionId> deadlines = new Deadlines<>();

    /**
     * Begins a term: forgets everything and gives every session a full lease (R3.3). To be called when the no-op of the term
     * is applied (R2.4).
     */
    public void takeover(Iterable<SessionLease> sessions, long nowNanos) {
        deadlines.clear(); // R2.4: no soft state survives a term
        for (SessionLease session : sessions) {
            opened(session.session(), session.leaseMillis(), nowNanos); // R3.3
        }
    }

    /** Ends the term: this replica leads no more. */
    public void clear() {
        deadlines.clear();
    }

    /** A session was opened; one that is known already keeps its deadline. */
    public void opened(SessionId session, long leaseMillis, long nowNanos) {
        deadlines.start(session, leaseMillis * NANOS_PER_MILLI, nowNanos);
    }

    /** A session has ended in the state. */
    public void ended(SessionId session) {
        deadlines.remove(session);
    }

    /**
     * Gives a session a full lease from now; to be called only after a leadership check that began after the KeepAlive
     * arrived (R2.6).
     *
     * @return true if the deadline now lies at or beyond a full lease from now, which is what a reply marked
     *     <i>renewed</i> promises (R3.5); false for an expiring or unknown session
     */
    public boolean renew(SessionId session, long nowNanos) {
        return deadlines.renew(session, nowNanos);
    }

    /**
     * Marks the sessions whose deadline has passed as expiring and returns, in order of deadline, those that are to be
     * proposed for expiry: each once, and again every second until {@link #ended}, since a proposal can be refused or lost.
     */
    public List<SessionId> due(long nowNanos) {
        return deadlines.due(nowNanos);
    }

    /** When {@link #due} will next return something; {@link Long#MAX_VALUE} if there is no session. */
    public long nextDeadlineNanos() {
        return deadlines.nextNanos();
    }

    /**
     * This process was stopped: every deadline moves by the gap, at most by the lease (R1.3). To be called before
     * {@link #due}. Takes O(sessions).
     */
    public void paused(long gapNanos) {
        deadlines.paused(gapNanos);
    }

    /** What is left of a lease: 0 to the lease, 0 for an expiring or unknown session. */
    public long remainingMillis(SessionId session, long nowNanos) {
        return deadlines.remainingNanos(session, nowNanos) / NANOS_PER_MILLI;
    }

    public boolean isExpiring(SessionId session) {
        return deadlines.isDue(session);
    }

    /** Sessions known, expiring ones among them. */
    public int size() {
        return deadlines.size();
    }
}
