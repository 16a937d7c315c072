package io.holdfast.cell.leader;

import io.holdfast.cell.CellEvent;
import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.node.NodeChange;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.WatchKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The watches of all who watch, each good for one event (R5.1). At a leader these are the links of front ends. Never replicated, never older than the leader's term.
 *
 * <p><b>Thread:</b> one at a time.
 *
 * <p><b>Invariants:</b> 1. A watch that fires is gone: one event per watch. 2. Both indexes hold the same watches; nothing is
 * kept for a path or owner that has none. 3. No more than the limits, for an owner and in all.
 *
 * <p><b>Source:</b> R5.1, R5.4, R8.4, ADR 0009.
 */
public final class WatchTable<O extends Comparable<O>> {
    /** What is watched. */
    public record Target(WatchKind kind, NodePath path) {}

    private record Key<O extends Comparable<O>>(O owner, long watch) implements Comparable<Key<O>> {
        @Override
        public int compareTo(Key<O> other) {
            int byOwner = owner.compareTo(other.owner);
            return byOwner != 0 ? byOwner : Long.compare(watch, other.watch);
        }
    }

    private final int maxPerOwner;
    private final int max;
    private final Map<WatchKind, TreeMap<NodePath, TreeSet<Key<O>>>> byTarget = new EnumMap<>(WatchKind.class);
    private final TreeMap<O, TreeMap<Long, Target>> byOwner = new TreeMap<>();
    private int size;

    public WatchTable() {
        this(Limits.MAX_WATCHES_PER_FRONT_END, Limits.MAX_WATCHES);
    }

    WatchTable(int maxPerOwner, int max) {
        this.maxPerOwner = maxPerOwner;
        this.max = max;
        for (WatchKind kind : WatchKind.values()) {
            byTarget.put(kind, new TreeMap<>());
        }
    }

    /** Whether so many more fit, for this owner and in all. */
    public boolean hasRoomFor(O owner, int more) {
        TreeMap<Long, Target> own = byOwner.get(owner);
        return (own == null ? 0 : own.size()) + more <= maxPerOwner && size + more <= max;
    }

    /** Adds a watch, or puts it in the place of the owner's one of this number; only if there is room. */
    public void add(O owner, long watch, Target target) {
        remove(owner, watch);
        Invariants.check(hasRoomFor(owner, 1), "a watch is added only where there is room");
        byOwner.computeIfAbsent(owner, any -> new TreeMap<>()).put(watch, target);
        pathsOf(target.kind())
                .computeIfAbsent(target.path(), any -> new TreeSet<>())
                .add(new Key<>(owner, watch));
        size++;
    }

    private TreeMap<NodePath, TreeSet<Key<O>>> pathsOf(WatchKind kind) {
        return Invariants.present(byTarget.get(kind), "every kind has its paths");
    }

    /** Takes a watch out; nothing if it is not there: it may have fired. */
    public void remove(O owner, long watch) {
        TreeMap<Long, Target> own = byOwner.get(owner);
        Target target = own == null ? null : own.remove(watch);
        if (own == null || target == null) {
            return;
        }
        if (own.isEmpty()) {
            byOwner.remove(owner);
        }
        forget(new Key<>(owner, watch), target);
    }

    /** Takes all watches of an owner out. */
    public void removeAll(O owner) {
        TreeMap<Long, Target> own = byOwner.remove(owner);
        if (own != null) {
            own.forEach((watch, target) -> forget(new Key<>(owner, watch), target));
        }
    }

    private void forget(Key<O> key, Target target) {
        TreeMap<NodePath, TreeSet<Key<O>>> paths = pathsOf(target.kind());
        TreeSet<Key<O>> keys = Invariants.present(paths.get(target.path()), "a watch is in both indexes");
        keys.remove(key);
        if (keys.isEmpty()) {
            paths.remove(target.path());
        }
        size--;
    }

    /**
     * Takes out what fires by a change.
     *
     * @param fired gets the numbers, by owner; in the order of firing
     */
    public void changed(CellEvent.NodeChanged event, Map<O, List<Long>> fired) {
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

    private void fire(WatchKind kind, NodePath path, Map<O, List<Long>> fired) {
        TreeSet<Key<O>> keys = pathsOf(kind).get(path);
        if (keys == null) {
            return;
        }
        for (Key<O> key : List.copyOf(keys)) {
            remove(key.owner(), key.watch());
            fired.computeIfAbsent(key.owner(), any -> new ArrayList<>()).add(key.watch());
        }
    }

    /** Of all owners. */
    public int size() {
        return size;
    }

    /** Of one owner. */
    public int sizeOf(O owner) {
        TreeMap<Long, Target> own = byOwner.get(owner);
        return own == null ? 0 : own.size();
    }
}
