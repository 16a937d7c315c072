package io.holdfast.replica;

import io.holdfast.cell.CellEvent;
import io.holdfast.cell.CellStateMachine;
import io.holdfast.cell.Command;
import io.holdfast.cell.DelayedPlace;
import io.holdfast.cell.LeaseGrant;
import io.holdfast.cell.SessionLease;
import io.holdfast.cell.leader.DelayKeeper;
import io.holdfast.cell.leader.EndingKeeper;
import io.holdfast.cell.leader.LeaseKeeper;
import io.holdfast.cell.leader.SessionKeeper;
import io.holdfast.model.Limits;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the leader proposes to end a session, a lock-delay, a leased lock, or what an operator breaks.
 *
 * <p>The order of things, and why no client is ended while it believes to be SAFE (R2.8, R3.2, R3.5):
 *
 * <ol>
 *   <li>When a deadline has passed at time <i>t</i>, a judgement as of <i>t</i> is prepared and a leadership check begins
 *       for it. The session may still be renewed: a KeepAlive that arrived before <i>t</i> waits for the same check or an
 *       earlier one, and {@link ReadQueue} settles those first. So none that came in time is lost because its check took
 *       long.
 *   <li>When that check is confirmed, the sessions whose deadline, as renewed by then, is still at or before <i>t</i> are
 *       marked expiring and their end is proposed, in one step. Marking and judging look at the deadline that the last
 *       acknowledged renewal set, never at when a KeepAlive arrived.
 *   <li>From the mark on {@link #renew} is false, also for a KeepAlive that arrived before the mark and whose check ends
 *       after it. Only a true {@link #renew} is acknowledged as renewed, in the step that moved the deadline. So at any
 *       time the client's lease, counted from a send before the renewal and shortened by the clocks' rates, ends before
 *       the leader's deadline; and every entry that ends a session follows a deadline that was passed at its proposal, by
 *       the last renewal ever acknowledged by this leader.
 *   <li>A session of which an operator ends something is not renewed until its client has let go (R3.6): its deadline stays
 *       where the last acknowledged renewal put it, and what was said above holds of it. What a client has let go of waits
 *       for no deadline.
 *   <li>An earlier leader's acknowledgements were confirmed by a majority before this leader was elected, so they promise
 *       nothing beyond a full lease from the takeover (R3.3).
 * </ol>
 *
 * <p><b>Thread:</b> the loop.
 */
final class Deadlines {
    /** A judgement as of a time, waiting for its leadership check. */
    record Judgement(int number, long asOfNanos) {}

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SessionKeeper sessions = new SessionKeeper();
    private final DelayKeeper delays = new DelayKeeper();
    private final EndingKeeper endings = new EndingKeeper();
    private final LeaseKeeper leases = new LeaseKeeper();
    private final long term;
    /** The one that waits for its check; another one's confirmation counts for nothing. */
    private @Nullable Judgement pending;

    private int prepared;

    Deadlines(long term) {
        this.term = term;
    }

    /** R3.3, R4.6: every session and every lock-delay begins in full. */
    void takeOver(CellStateMachine machine, long nowNanos) {
        sessions.takeover(machine.sessions(), nowNanos);
        delays.takeover(machine.delayedPlaces(), nowNanos);
        leases.takeover(machine.leases(), nowNanos); // R7.1
        endings.clear();
    }

    /** Keeps up with what an entry of this term did. */
    void applied(CellEvent event, long nowNanos) {
        if (event instanceof CellEvent.SessionOpened opened) {
            sessions.opened(opened.session(), opened.leaseMillis(), nowNanos);
        } else if (event instanceof CellEvent.SessionEnded ended) {
            sessions.ended(ended.session());
            endings.sessionEnded(ended.session());
        } else if (event instanceof CellEvent.DelayStarted started) {
            delays.started(started.place(), started.token(), started.delayMillis(), nowNanos);
            endings.disowned(started.place(), started.token(), nowNanos);
        } else if (event instanceof CellEvent.NodeChanged changed && changed.deleted()) {
            delays.ended(changed.path());
            endings.gone(changed.path());
        } else if (event instanceof CellEvent.LeaseGranted granted) {
            leases.granted(granted.grant(), nowNanos);
        } else if (event instanceof CellEvent.LeaseEnded ended) {
            leases.ended(ended.name(), ended.token());
        }
    }

    /**
     * Moves a session's deadline to a full lease from now; false, and nothing moves, if it is expiring or unknown, or if an
     * operator ends something of it that its client has not let go of.
     */
    boolean renew(SessionId session, long nowNanos) {
        return !endings.isStopped(session) // R3.6: confirmations stop at once
                && sessions.renew(session, nowNanos);
    }

    /** The leased locks. */
    LeaseKeeper leases() {
        return leases;
    }

    /** What operators are ending. */
    EndingKeeper endings() {
        return endings;
    }

    /**
     * R1.3: before anything is judged; a judgement from before the pause is void, since KeepAlives may lie unread. A
     * session whose whole lease fell into the pause has a full one from now: moved by a lease only, its deadline would
     * still lie in the past.
     */
    void paused(long gapNanos, CellStateMachine machine, long nowNanos) {
        pending = null;
        sessions.paused(gapNanos);
        delays.paused(gapNanos);
        leases.paused(gapNanos, nowNanos);
        if (gapNanos >= Limits.MIN_SESSION_LEASE_MILLIS * NANOS_PER_MILLI) {
            for (SessionLease session : machine.sessions()) {
                if (session.leaseMillis() * NANOS_PER_MILLI <= gapNanos) {
                    sessions.renew(session.session(), nowNanos);
                }
            }
        }
    }

    /** When the next judgement is to be prepared. */
    long nextDeadlineNanos() {
        if (pending != null) {
            return Long.MAX_VALUE;
        }
        long lapses = Math.min(sessions.nextDeadlineNanos(), delays.nextDeadlineNanos());
        return Math.min(Math.min(lapses, leases.nextDeadlineNanos()), endings.nextDeadlineNanos());
    }

    /** A judgement for which a check has to begin now, or null if no deadline has passed or one is under way. */
    @Nullable
    Judgement prepare(long nowNanos) {
        if (nowNanos < nextDeadlineNanos()) {
            return null;
        }
        pending = new Judgement(++prepared, nowNanos);
        return pending;
    }

    /** The check for a judgement was confirmed and all KeepAlives before it are settled: what has to be proposed. */
    List<Command> judge(Judgement judgement) {
        List<Command> ends = new ArrayList<>();
        if (!judgement.equals(pending)) {
            return ends;
        }
        pending = null;
        for (SessionId session : sessions.due(judgement.asOfNanos())) {
            ends.add(new Command.ExpireSession(session, term)); // R2.5
        }
        for (DelayedPlace delayed : delays.due(judgement.asOfNanos())) {
            ends.add(new Command.EndDelay(delayed.place(), delayed.token(), term)); // R2.5
        }
        for (LeaseGrant grant : leases.due(judgement.asOfNanos())) {
            ends.add(new Command.ExpireLease(grant.name(), grant.token(), term)); // R2.5
        }
        ends.addAll(endings.due(judgement.asOfNanos(), term));
        return ends;
    }

    void refused(Judgement judgement) {
        if (judgement.equals(pending)) {
            pending = null;
        }
    }

    long remainingMillis(SessionId session, long nowNanos) {
        return sessions.remainingMillis(session, nowNanos);
    }

    boolean isExpiring(SessionId session) {
        return sessions.isExpiring(session);
    }
}
