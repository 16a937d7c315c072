package io.holdfast.client.fake;

import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The watches of a {@link FakeCell}: remembers when each thing last changed, and compares. */
final class FakeWatches {
    private record Thing(WatchKind kind, NodePath path) implements Comparable<Thing> {
        @Override
        public int compareTo(Thing other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : path.compareTo(other.path);
        }
    }

    private record Registered(Thing thing, long seen) {}

    private final TreeMap<Thing, Long> lastChange = new TreeMap<>();
    private final TreeMap<SessionId, TreeMap<Long, Registered>> registered = new TreeMap<>();

    void changed(NodePath path, long revision, boolean cameOrWent) {
        lastChange.put(new Thing(WatchKind.VALUE, path), revision);
        if (cameOrWent) {
            lastChange.put(new Thing(WatchKind.EXISTENCE, path), revision);
            lastChange.put(new Thing(WatchKind.CHILDREN, path.parent()), revision);
        }
    }

    void add(SessionId session, long watch, Query query, long seen) {
        Query.Watchable target = (Query.Watchable) query;
        add(session, watch, new Thing(target.watchKind(), target.path()), seen);
    }

    private void add(SessionId session, long watch, Thing thing, long seen) {
        registered.computeIfAbsent(session, any -> new TreeMap<>()).put(watch, new Registered(thing, seen));
    }

    void claim(SessionId session, ClientFrame.Watch frame) {
        frame.dropped().forEach(registered.computeIfAbsent(session, any -> new TreeMap<>())::remove);
        for (ClientFrame.WatchClaim claim : frame.claims()) {
            add(session, claim.watch(), new Thing(claim.kind(), claim.path()), claim.seenRevision());
        }
    }

    void forget(SessionId session) {
        registered.remove(session);
    }

    /** Takes out what has fired. */
    List<Long> fired(SessionId session) {
        List<Long> fired = new ArrayList<>();
        TreeMap<Long, Registered> own = registered.getOrDefault(session, new TreeMap<>());
        own.forEach((watch, what) -> {
            if (lastChange.getOrDefault(what.thing(), 0L) > what.seen()) {
                fired.add(watch);
            }
        });
        fired.forEach(own::remove);
        return fired;
    }

    int size() {
        return registered.values().stream().mapToInt(TreeMap::size).sum();
    }
}
