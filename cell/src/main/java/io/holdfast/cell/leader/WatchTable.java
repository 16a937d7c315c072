package io.holdfast.cell.leader;

import io.holdfast.cell.CellEvent;
import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.node.NodeChange;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The watches of all sessions, each good for one event (R5.1). Never replicated, never older than the leader's term.
 *
 * <p><b>Thread:</b> one at a time.
 *
 * <p><b>Invariants:</b> 1. A watch that fires is gone: one event per watch. 2. Both indexes hold the same watches; nothing is
 * kept for a path or session that has none. 3. No more than the limits, for a session and in all.
 *
 * <p><b>Source:</b> R5.1, R5.4, R8.4, ADR 0009.
 */
public final class WatchTable {
    /** What is watched. */
    public record Target(WatchKind kind, NodePath path) {}

    private record Key(SessionId session, long watch) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int bySession = session.compareTo(other.session);
            return bySession != 0 ? bySession : Long.compare(watch, other.watch);
        }
    }

    private final int maxPerSession;
    private final int max;
    private final Map<WatchKind, TreeMap<NodePath, TreeSet<Key>>> byTarget = new EnumMap<>(WatchKind.class);
    private final TreeMap<SessionId, TreeMap<Long, Target>> bySession = new TreeMap<>();
    private int size;

    public WatchTable() {
        this(Limits.MAX_WATCHES_PER_SESSION, Limits.MAX_WATCHES);
    }

    WatchTable(int maxPerSession, int max) {
        this.maxPerSession = maxPerSession;
        this.max = max;
        for (WatchKind kind : WatchKind.values()) {
            byTarget.put(kind, new TreeMap<>());
        }
    }

    /** Whether so many more fit, for this session and in all. */
    public boolean hasRoomFor(SessionId session, int more) {
        TreeMap<Long, Target> own = bySession.get(session);
        return (own == null ? 0 : own.size()) + more <= maxPerSession && size + more <= max;
    }

    /** Adds a watch, or puts it in the place of the session's one of this number; only if there is room. */
    public void add(SessionId session, long watch, Target target) {
        remove(session, watch);
        Invariants.check(hasRoomFor(session, 1), "a watch is added only where there is room");
        bySession.computeIfAbsent(session, any -> new TreeMap<>()).put(watch, target);
        pathsOf(target.kind())
                .computeIfAbsent(target.path(), any -> new TreeSet<>())
                .add(new Key(session, watch));
        size++;
    }

    private TreeMap<NodePath, TreeSet<Key>> pathsOf(WatchKind kind) {
        return Invariants.present(byTarget.get(kind), "every kind has its paths");
    }

    /** Takes a watch out; nothing if it is not there: it may have fired. */
    public void remove(SessionId session, long watch) {
        TreeMap<Long, Target> own = bySession.get(session);
        Target target = own == null ? null : own.remove(watch);
        if (own == null || target == null) {
            return;
        }
        if (own.isEmpty()) {
            bySession.remove(session);
        }
        forget(new Key(session, watch), target);
    }

    /** Takes all watches of a session out: its stream or the session itself is gone. */
    public void removeAll(SessionId session) {
        TreeMap<Long, Target> own = bySession.remove(session);
        if (own != null) {
            own.forEach((watch, target) -> forget(new Key(session, watch), target));
        }
    }

    private void forget(Key key, Target target) {
        TreeMap<NodePath, TreeSet<Key>> paths = pathsOf(target.kind());
        TreeSet<Key> keys = Invariants.present(paths.get(target.path()), "a watch is in both indexes");
        keys.remove(key);
        if (keys.isEmpty()) {
            paths.remove(target.path());
        }
        size--;
    }

    /**
     * Takes out what fires by a change.
     *
     * @param fired gets the numbers, by session; in the order of firing
     */
    public void changed(CellEvent.NodeChanged event, Map<SessionId, List<Long>> fired) {
        NodePath path = event.path();
        if (event.kind() == NodeKind.PERSISTENT) { // R6.1: other nodes are no values
            fire(WatchKind.VALUE, path, fired);
        }
        if (event.created() || event.deleted()) {
            fire(WatchKind.EXISTENCE, path, fired);
        }
        boolean comesOrGoes = event.change() == NodeChange.CREATED || event.change() == NodeChange.DELETED;
        if (comesOrGoes) {
            fire(WatchKind.CHILDREN, path, fired);
        }
        NodePath parent = path.parent();
        if (parent != null && (comesOrGoes || event.change() == NodeChange.DELAYED)) {
            fire(WatchKind.CHILDREN, parent, fired);
        }
    }

    private void fire(WatchKind kind, NodePath path, Map<SessionId, List<Long>> fired) {
        TreeSet<Key> keys = pathsOf(kind).get(path);
        if (keys == null) {
            return;
        }
        for (Key key : List.copyOf(keys)) {
            remove(key.session(), key.watch());
            fired.computeIfAbsent(key.session(), any -> new ArrayList<>()).add(key.watch());
        }
    }

    /** Of all sessions. */
    public int size() {
        return size;
    }

    /** Of one session. */
    public int sizeOf(SessionId session) {
        TreeMap<Long, Target> own = bySession.get(session);
        return own == null ? 0 : own.size();
    }
}
