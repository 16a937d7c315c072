package io.holdfast.cell.leader;

import io.holdfast.cell.Command;
import io.holdfast.model.Ending;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators are ending: sessions and places that wait for their client to let go, and those that it has let go of
 * (R3.6). Never replicated, never older than the leader's term.
 *
 * <p>A place is proposed to be broken only when its client has let go of it or nobody owns it. A client that does not let go
 * loses its session: it is not renewed any more, so {@link SessionKeeper} finds it due when the lease that was promised to it
 * is over. Breaking the place alone at that moment, and renewing the session again, would leave a client that never heard of
 * it believing in its hold (ADR 0010, history 1).
 *
 * <p><b>Thread:</b> one at a time. Times are nanoseconds of one monotonic clock.
 *
 * <p><b>Invariants:</b> 1. A session is stopped from the moment that something of it is to end until it has let go; for ever if
 * the session itself is to end. 2. What is named by {@link #due} was let go of, or has no owner. 3. Only sessions and places
 * of the state are marked, so there are never more marks than those.
 *
 * <p><b>Source:</b> R2.5, R3.5, R3.6, ADR 0010.
 */
public final class EndingKeeper {
    private static final class Marks {
        /** The session itself is to end. */
        boolean whole;
        /** And its client has let go. */
        boolean letGo;
        /** Places that its client has not let go of. */
        final TreeMap<NodePath, FencingToken> places = new TreeMap<>();
    }

    private final TreeMap<SessionId, Marks> marks = new TreeMap<>();
    /** Whose the places are that clients have not let go of. */
    private final TreeMap<NodePath, SessionId> owners = new TreeMap<>();
    /** To be proposed, at once and again every second until they have ended. */
    private final Deadlines<SessionId> sessionsLetGo = new Deadlines<>();

    private final Deadlines<NodePath> placesLetGo = new Deadlines<>();
    private final TreeMap<NodePath, FencingToken> tokensLetGo = new TreeMap<>();

    /** Begins and ends a term: no soft state survives (R2.4). */
    public void clear() {
        marks.clear();
        owners.clear();
        sessionsLetGo.clear();
        placesLetGo.clear();
        tokensLetGo.clear();
    }

    /**
     * Marks something that is in the state as to be ended: from here on its session is not renewed (R3.6).
     *
     * @return whether its client has to be told now; false if it was told, or has let go, before
     */
    public boolean begin(Ending ending) {
        if (ending instanceof Ending.OfPlace broken && tokensLetGo.containsKey(broken.place())) {
            return false;
        }
        Marks of = marks.computeIfAbsent(ending.session(), unmarked -> new Marks());
        if (ending instanceof Ending.OfPlace broken) {
            owners.put(broken.place(), broken.session());
            return of.places.put(broken.place(), broken.token()) == null;
        }
        boolean first = !of.whole;
        of.whole = true;
        return first;
    }

    /** A place that no session owns, being in its lock-delay, is to be broken: nobody has to let go of it. */
    public void beginUnowned(NodePath place, FencingToken token, long nowNanos) {
        tokensLetGo.putIfAbsent(place, token);
        placesLetGo.start(place, 0, nowNanos);
    }

    /** The client holds nothing of it any more and never will. Nothing if it was not asked to let go. */
    public void letGo(Ending ending, long nowNanos) {
        Marks of = marks.get(ending.session());
        if (of == null) {
            return;
        }
        if (ending instanceof Ending.OfPlace broken) {
            if (broken.token().equals(of.places.get(broken.place()))) {
                forget(broken.place());
                beginUnowned(broken.place(), broken.token(), nowNanos);
            }
        } else if (of.whole) {
            of.letGo = true;
            sessionsLetGo.start(ending.session(), 0, nowNanos);
        }
    }

    /** Nobody has to let go of this place any more. */
    private void forget(NodePath place) {
        SessionId owner = owners.remove(place);
        Marks of = owner == null ? null : marks.get(owner);
        if (owner != null && of != null) {
            of.places.remove(place);
            if (!of.whole && of.places.isEmpty()) {
                marks.remove(owner);
            }
        }
    }

    /** Whether nothing may renew this session: it, or something of it, is to end and its client has not let go. */
    public boolean isStopped(SessionId session) {
        return marks.containsKey(session);
    }

    /** What the client of this session has yet to let go of, to be told to each stream that attaches. */
    public List<Ending> waitingFor(SessionId session) {
        List<Ending> waiting = new ArrayList<>();
        Marks of = marks.get(session);
        if (of != null && of.whole) {
            if (!of.letGo) {
                waiting.add(new Ending.OfSession(session));
            }
        } else if (of != null) {
            of.places.forEach((place, token) -> waiting.add(new Ending.OfPlace(session, place, token)));
        }
        return waiting;
    }

    /** Because of what this session is stopped: itself, or the first place not let go of; null if it is not. */
    public @Nullable Ending endingOf(SessionId session) {
        Marks of = marks.get(session);
        if (of == null) {
            return null;
        }
        return of.whole ? new Ending.OfSession(session) : waitingFor(session).get(0);
    }

    /** Whether the session itself is to end. */
    public boolean isEnding(SessionId session) {
        Marks of = marks.get(session);
        return of != null && of.whole;
    }

    /**
     * Whether a place is to end, alone or with its session.
     *
     * @param owner null if nobody owns it
     */
    public boolean isEnding(NodePath place, @Nullable SessionId owner) {
        boolean alone = tokensLetGo.containsKey(place) || owners.containsKey(place);
        return alone || (owner != null && isEnding(owner));
    }

    /** Whether the client has let go of what was marked. */
    public boolean hasLetGo(Ending ending) {
        if (ending instanceof Ending.OfPlace broken) {
            return tokensLetGo.containsKey(broken.place());
        }
        Marks of = marks.get(ending.session());
        return of != null && of.letGo;
    }

    // ---- what became of it

    public void sessionEnded(SessionId session) {
        Marks of = marks.remove(session);
        if (of != null) {
            owners.keySet().removeAll(of.places.keySet());
        }
        sessionsLetGo.remove(session);
    }

    /** A node was deleted: by the proposal, or by its session's own release meanwhile. Cheap for all that are not marked. */
    public void gone(NodePath place) {
        forget(place);
        if (tokensLetGo.remove(place) != null) {
            placesLetGo.remove(place);
        }
    }

    /** A hold's session expired and the place stays for its lock-delay: if it was to be broken, nobody has to let go now. */
    public void disowned(NodePath place, FencingToken token, long nowNanos) {
        if (owners.containsKey(place)) {
            forget(place);
            beginUnowned(place, token, nowNanos);
        }
    }

    // ---- what is to be proposed

    /** What is to be proposed: each at once, and again every second, since a proposal can be refused or lost. */
    public List<Command> due(long nowNanos, long term) {
        List<Command> ends = new ArrayList<>();
        for (SessionId session : sessionsLetGo.due(nowNanos)) {
            ends.add(new Command.ExpireSession(session, term)); // R2.5
        }
        for (NodePath place : placesLetGo.due(nowNanos)) {
            FencingToken token = tokensLetGo.get(place);
            if (token != null) {
                ends.add(new Command.BreakPlace(place, token, term)); // R2.5
            }
        }
        return ends;
    }

    /** When {@link #due} will next name something; {@link Long#MAX_VALUE} if there is nothing. */
    public long nextDeadlineNanos() {
        return Math.min(sessionsLetGo.nextNanos(), placesLetGo.nextNanos());
    }

    /** Sessions and places that are marked, or let go of and not gone; for tests. */
    public int size() {
        int size = sessionsLetGo.size() + placesLetGo.size();
        for (Marks of : marks.values()) {
            size += of.places.size() + (of.whole ? 1 : 0);
        }
        return size;
    }
}
