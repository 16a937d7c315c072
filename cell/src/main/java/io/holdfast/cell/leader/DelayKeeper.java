package io.holdfast.cell.leader;

import io.holdfast.cell.DelayedPlace;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leader's deadlines of lock-delays (R4.6). A new leader starts each again in full.
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. A deadline never moves back (R1.3): a delay is never cut short.
 *
 * <p><b>Source:</b> R1.3, R4.6.
 */
public final class DelayKeeper {
    private final Deadlines<NodePath> deadlines = new Deadlines<>();
    private final Map<NodePath, DelayedPlace> places = new LinkedHashMap<>();

    /** Begins a term: forgets everything and starts every delay again in full (R4.6). */
    public void takeover(Iterable<DelayedPlace> delayed, long nowNanos) {
        clear(); // R2.4
        for (DelayedPlace place : delayed) {
            started(place.place(), place.token(), place.delayMillis(), nowNanos);
        }
    }

    /** Ends the term: this replica leads no more. */
    public void clear() {
        deadlines.clear();
        places.clear();
    }

    /** A place lost its session and blocks on. */
    public void started(NodePath place, FencingToken token, long delayMillis, long nowNanos) {
        deadlines.start(place, delayMillis * SessionKeeper.NANOS_PER_MILLI, nowNanos);
        places.putIfAbsent(place, new DelayedPlace(place, token, delayMillis));
    }

    /** A node was deleted; if it was a place in its lock-delay, that is over. Cheap for all others. */
    public void ended(NodePath place) {
        if (deadlines.remove(place)) {
            places.remove(place);
        }
    }

    /**
     * The delays that are over, for which to propose {@code EndDelay}: each once, and again every second until
     * {@link #ended}, since a proposal can be refused or lost.
     */
    public List<DelayedPlace> due(long nowNanos) {
        List<DelayedPlace> due = new ArrayList<>();
        for (NodePath place : deadlines.due(nowNanos)) {
            DelayedPlace delayed = places.get(place);
            if (delayed != null) {
                due.add(delayed);
            }
        }
        return due;
    }

    /** When {@link #due} will next return something; {@link Long#MAX_VALUE} if there is no delay. */
    public long nextDeadlineNanos() {
        return deadlines.nextNanos();
    }

    /** This process was stopped: every deadline moves by the gap, at most by the delay (R1.3). */
    public void paused(long gapNanos) {
        deadlines.paused(gapNanos);
    }

    /** What is left of a place's delay: 0 to the delay, 0 if it is over or there is none. */
    public long remainingMillis(NodePath place, long nowNanos) {
        return deadlines.remainingNanos(place, nowNanos) / SessionKeeper.NANOS_PER_MILLI;
    }
}
