package io.holdfast.cell.leader;

import io.holdfast.cell.LeaseGrant;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import io.holdfast.model.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The leader's deadlines of leased locks (R7.1). Never replicated, never older than the leader's term.
 *
 * <p>A record whose deadline has passed is <i>expiring</i> from the moment in which anybody looks at it: at a renewal, which then
 * comes too late, or at the call of {@link #due}. Expiring records are proposed for expiry by {@link #due} alone, which is called
 * after a leadership check that began when the deadline had passed (R2.8).
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. A deadline never moves back (R1.3). 2. What is expiring is never renewed (R7.1). 3. One deadline per name:
 * that of the hold in the state.
 *
 * <p><b>Source:</b> R1.3, R3.3, R7.1, R7.2.
 */
public final class LeaseKeeper {
    /** Refused callers come again within about this, so that a lock that is released is not free for long. */
    static final long MAX_RETRY_MILLIS = 800;
    /** However soon a lease ends: who comes again at once only costs. */
    static final long MIN_RETRY_MILLIS = 50;

    private final Deadlines<LeaseName> deadlines = new Deadlines<>();
    private final Map<LeaseName, LeaseGrant> grants = new LinkedHashMap<>();

    /** Begins a term: forgets everything and gives every hold a full lease (R3.3). */
    public void takeover(Iterable<LeaseGrant> held, long nowNanos) {
        clear(); // R2.4: no lease deadline survives a term
        for (LeaseGrant grant : held) {
            granted(grant, nowNanos); // R7.1: full from takeover
        }
    }

    /** Ends the term: this replica leads no more. */
    public void clear() {
        deadlines.clear();
        grants.clear();
    }

    /** A hold was granted in the state. */
    public void granted(LeaseGrant grant, long nowNanos) {
        grants.put(grant.name(), grant);
        deadlines.start(grant.name(), grant.leaseMillis() * SessionKeeper.NANOS_PER_MILLI, nowNanos);
    }

    /** A hold has ended in the state. */
    public void ended(LeaseName name, FencingToken token) {
        if (isHeldUnder(name, token)) {
            grants.remove(name); // what is over is renewed no more
            deadlines.remove(name);
        }
    }

    private boolean isHeldUnder(LeaseName name, FencingToken token) {
        LeaseGrant grant = grants.get(name);
        return grant != null && grant.token().equals(token);
    }

    /**
     * Gives a hold a full lease from now; to be called only after a leadership check that began after the renewal arrived (R2.6),
     * and judged now, not when it arrived.
     *
     * @return true if the deadline now lies at or beyond a full lease from now; false for a hold that is expiring or unknown
     */
    public boolean renew(LeaseName name, FencingToken token, long nowNanos) {
        return isHeldUnder(name, token)
                && !deadlines.settle(name, nowNanos) // R7.1: expiring, judged when confirming
                && deadlines.renew(name, nowNanos);
    }

    /** Whether the present hold of a name is expiring. */
    public boolean isExpiring(LeaseName name, long nowNanos) {
        return deadlines.settle(name, nowNanos);
    }

    /**
     * Marks the holds whose deadline has passed as expiring and returns those that are to be proposed for expiry: each once, and
     * again every second until {@link #ended}, since a proposal can be refused or lost.
     */
    public List<LeaseGrant> due(long nowNanos) {
        List<LeaseGrant> due = new ArrayList<>();
        for (LeaseName name : deadlines.due(nowNanos)) {
            LeaseGrant grant = grants.get(name);
            if (grant != null) {
                due.add(grant);
            }
        }
        return due;
    }

    /** When {@link #due} will next return something; {@link Long#MAX_VALUE} if there is no hold. */
    public long nextDeadlineNanos() {
        return deadlines.nextNanos();
    }

    /**
     * This process was stopped: every deadline moves by the gap, at most by the lease (R1.3). A hold whose whole lease fell into the
     * pause has a full one from now: moved by a lease only, its deadline would still lie in the past. Takes O(holds).
     */
    public void paused(long gapNanos, long nowNanos) {
        deadlines.paused(gapNanos);
        if (gapNanos >= Limits.MIN_LEASE_MILLIS * SessionKeeper.NANOS_PER_MILLI) {
            for (LeaseGrant grant : grants.values()) {
                if (grant.leaseMillis() * SessionKeeper.NANOS_PER_MILLI <= gapNanos) {
                    deadlines.renew(grant.name(), nowNanos);
                }
            }
        }
    }

    /** What is left of the present hold of a name: 0 to the lease, 0 if it is expiring or there is none. */
    public long remainingMillis(LeaseName name, long nowNanos) {
        return deadlines.remainingNanos(name, nowNanos) / SessionKeeper.NANOS_PER_MILLI;
    }

    /**
     * When a refused caller may come again: not long after the lease can end, and soon enough to find it released before (R7.2).
     *
     * @param below draws from 0 to one less than its argument
     * @return a duration, less than any lease
     */
    public long retryAfterMillis(LeaseName name, long nowNanos, LongUnaryOperator below) {
        long most = Math.max(MIN_RETRY_MILLIS, Math.min(MAX_RETRY_MILLIS, remainingMillis(name, nowNanos)));
        return most / 2 + below.applyAsLong(most / 2 + 1);
    }

    /** Holds known, expiring ones among them. */
    public int size() {
        return grants.size();
    }
}
