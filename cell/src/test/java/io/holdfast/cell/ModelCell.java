package io.holdfast.cell;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rules of the cell in the slowest and plainest way: lists, searched from the start, and who holds a lock worked out
 * anew from its places every time. Knows no byte limit. Failures have no message here.
 */
final class ModelCell {
    static final class Node {
        String path;
        NodeKind kind;
        byte[] value = {};
        long version;
        long created;
        long modified;
        long childrenRevision;
        long session;
        long delay;
        int permits;

        String parent() {
            int slash = path.lastIndexOf('/');
            return slash <= 0 ? "/" : path.substring(0, slash);
        }

        Node copy() {
            Node copy = new Node();
            copy.path = path;
            copy.kind = kind;
            copy.value = value;
            copy.version = version;
            copy.created = created;
            copy.modified = modified;
            copy.childrenRevision = childrenRevision;
            copy.session = session;
            copy.delay = delay;
            copy.permits = permits;
            return copy;
        }

        boolean shared() {
            return is("s-");
        }

        boolean is(String prefix) {
            return path.substring(path.lastIndexOf('/') + 1).startsWith(prefix);
        }
    }

    static final class Session {
        long id;
        byte[] secret;
        long lease;
        long watermark;
        Map<Long, Outcome> results = new TreeMap<>();
    }

    final List<Node> nodes = new ArrayList<>();
    final List<Session> sessions = new ArrayList<>();
    final List<CellEvent> events = new ArrayList<>();
    long revision;
    private long term;

    ModelCell() {
        Node root = new Node();
        root.path = "/";
        root.kind = NodeKind.CONTAINER;
        nodes.add(root);
    }

    private record Grant(String place, long session) {}

    /** Performs one command; grants are whatever holds afterwards and did not before, without what was made held. */
    Outcome perform(Command command, long entryTerm) {
        term = entryTerm;
        List<Grant> before = holds();
        List<Node> nodesBefore = List.copyOf(nodes);
        Outcome outcome = dispatch(command);
        List<CellEvent> granted = new ArrayList<>();
        for (Grant now : holds()) {
            boolean isNew = nodesBefore.stream().noneMatch(n -> n.path.equals(now.place));
            if (!before.contains(now) && !isNew) {
                NodePath place = new NodePath(now.place);
                granted.add(new CellEvent.Granted(
                        new SessionId(now.session), place, new FencingToken(find(now.place).created)));
            }
        }
        int end = 0;
        while (end < events.size() && !(events.get(end) instanceof CellEvent.SessionEnded)) {
            end++;
        }
        // Grants come before the note that the session ended or the place was removed.
        while (end > 0 && events.get(end - 1) instanceof CellEvent.PlaceRemoved) {
            end--;
        }
        events.addAll(end, granted);
        return outcome;
    }

    /** All places that sessions hold, in lock-path and token order. */
    List<Grant> holds() {
        List<Grant> holds = new ArrayList<>();
        for (Node node : places()) {
            if (hasTurn(node) && node.session != 0) {
                holds.add(new Grant(node.path, node.session));
            }
        }
        return holds;
    }

    List<Node> places() {
        return nodes.stream()
                .filter(n -> n.kind == NodeKind.PLACE)
                .sorted(Comparator.<Node, NodePath>comparing(n -> new NodePath(n.parent()))
                        .thenComparing(n -> n.created))
                .toList();
    }

    /** R4.2. */
    boolean hasTurn(Node place) {
        if (place.is("p-")) {
            return lower(place.parent(), place.created).count() < place.permits;
        }
        return lower(place.parent(), place.created).noneMatch(n -> !place.shared() || !n.shared());
    }

    private Stream<Node> lower(String lock, long token) {
        return nodes.stream().filter(n -> n.kind == NodeKind.PLACE && n.parent().equals(lock) && n.created < token);
    }

    Node find(String path) {
        return nodes.stream().filter(n -> n.path.equals(path)).findFirst().orElse(null);
    }

    Session session(long id) {
        return sessions.stream().filter(s -> s.id == id).findFirst().orElse(null);
    }

    private static Outcome fail(ErrorCode code) {
        return new Outcome.Failed(code, "");
    }

    private Outcome dispatch(Command command) {
        if (command instanceof Command.OpenSession c) {
            return open(c);
        } else if (command instanceof Command.ExpireSession c) {
            if (c.term() != term) {
                return fail(ErrorCode.UNAVAILABLE);
            }
            if (session(c.session().value()) == null) {
                return fail(ErrorCode.NOT_FOUND);
            }
            return end(c.session().value(), true);
        } else if (command instanceof Command.EndDelay c) {
            if (c.term() != term) {
                return fail(ErrorCode.UNAVAILABLE);
            }
            Node place = find(c.place().value());
            if (place == null
                    || place.kind != NodeKind.PLACE
                    || place.session != 0
                    || place.created != c.token().value()) {
                return new Outcome.Released(false);
            }
            revision++;
            remove(place);
            return new Outcome.Released(true);
        } else if (command instanceof Command.BreakPlace c) {
            if (c.term() != term) {
                return fail(ErrorCode.UNAVAILABLE);
            }
            Node place = find(c.place().value());
            if (place == null
                    || place.kind != NodeKind.PLACE
                    || place.created != c.token().value()) {
                return new Outcome.Released(false);
            }
            revision++;
            remove(place);
            if (place.session != 0) {
                events.add(new CellEvent.PlaceRemoved(
                        new SessionId(place.session), new NodePath(place.path), new FencingToken(place.created)));
            }
            return new Outcome.Released(true);
        } else if (command instanceof Command.OneShot c) {
            return c.operation() instanceof Operation.Put
                            || c.operation() instanceof Operation.Delete
                            || c.operation() instanceof Operation.Batch
                    ? operate(null, 0, c.operation())
                    : fail(ErrorCode.INVALID);
        }
        return request((Command.Request) command);
    }

    private Outcome open(Command.OpenSession c) {
        if (c.secret().length != 16 || c.leaseMillis() < 4_000 || c.leaseMillis() > 60_000) {
            return fail(ErrorCode.INVALID);
        }
        for (Session s : sessions) {
            if (Arrays.equals(s.secret, c.secret())) {
                return new Outcome.SessionOpened(new SessionId(s.id), s.lease);
            }
        }
        Session s = new Session();
        s.id = ++revision;
        s.secret = c.secret();
        s.lease = c.leaseMillis();
        sessions.add(s);
        events.add(new CellEvent.SessionOpened(new SessionId(s.id), s.lease));
        return new Outcome.SessionOpened(new SessionId(s.id), s.lease);
    }

    private Outcome request(Command.Request c) {
        Session s = session(c.session().value());
        if (s == null) {
            return fail(ErrorCode.SESSION_EXPIRED);
        }
        s.watermark = Math.max(s.watermark, c.watermark());
        s.results.keySet().removeIf(id -> id <= s.watermark);
        if (c.requestId() <= s.watermark) {
            return fail(ErrorCode.REQUEST_OLD);
        }
        if (c.requestId() > s.watermark + 1_024) {
            return fail(ErrorCode.REQUEST_WINDOW);
        }
        if (s.results.containsKey(c.requestId())) {
            Outcome stored = s.results.get(c.requestId());
            if (stored instanceof Outcome.Placed p) {
                Node place = find(p.place().value());
                boolean present = place != null && place.session == s.id;
                return new Outcome.Placed(p.place(), p.token(), present && hasTurn(place), present);
            }
            return stored;
        }
        Outcome outcome = operate(s, c.requestId(), c.operation());
        s.results.put(c.requestId(), outcome);
        return outcome;
    }

    private Outcome operate(Session s, long requestId, Operation operation) {
        if (operation instanceof Operation.Put o) {
            return put(o);
        } else if (operation instanceof Operation.CreateEphemeral o) {
            return create(s, o);
        } else if (operation instanceof Operation.Delete o) {
            return delete(o);
        } else if (operation instanceof Operation.Acquire o) {
            return acquire(s, o);
        } else if (operation instanceof Operation.Release o) {
            return release(s, o);
        } else if (operation instanceof Operation.Cancel o) {
            return cancel(s, requestId, o.requestId());
        } else if (operation instanceof Operation.Batch o) {
            return batch(o);
        } else if (operation instanceof Operation.CloseSession) {
            return end(s.id, false);
        }
        return fail(ErrorCode.INVALID); // asked of the leader
    }

    /** Everything on a copy; the original comes back if anything fails. */
    private Outcome batch(Operation.Batch o) {
        if (o.items().isEmpty()) {
            return new Outcome.BatchRefused(-1, ErrorCode.INVALID, "");
        }
        for (int i = 0; i < o.items().size(); i++) {
            NodePath path = o.items().get(i).path();
            if (o.items().stream().limit(i).anyMatch(before -> before.path().equals(path))) {
                return new Outcome.BatchRefused(i, ErrorCode.INVALID, "");
            }
        }
        List<Node> before = nodes.stream().map(Node::copy).toList();
        long base = revision;
        boolean changed = false;
        List<Long> versions = new ArrayList<>();
        for (Operation.BatchItem item : o.items()) {
            revision = base; // so that all share the next one
            Node present = find(item.path().value());
            long version = present == null ? 0 : present.version;
            Outcome outcome = item(item, present);
            if (outcome instanceof Outcome.Failed failed) {
                nodes.clear();
                nodes.addAll(before);
                revision = base;
                return new Outcome.BatchRefused(versions.size(), failed.code(), "");
            }
            changed |= !(item instanceof Operation.Check);
            versions.add(
                    outcome instanceof Outcome.Written written
                            ? written.version()
                            : item instanceof Operation.Delete ? version : item.expectedVersion());
        }
        revision = changed ? base + 1 : base;
        return new Outcome.Batched(revision, versions);
    }

    private Outcome item(Operation.BatchItem item, Node present) {
        if (item instanceof Operation.Put put) {
            return put(put);
        } else if (item instanceof Operation.Delete delete) {
            return present != null && present.kind == NodeKind.EPHEMERAL ? fail(ErrorCode.WRONG_KIND) : delete(delete);
        }
        boolean exists = present != null && present.kind == NodeKind.PERSISTENT;
        if (item.expectedVersion() < -1) {
            return fail(ErrorCode.INVALID);
        } else if (item.expectedVersion() == -1) {
            return exists ? fail(ErrorCode.EXISTS) : new Outcome.Released(false);
        }
        return exists && present.version == item.expectedVersion()
                ? new Outcome.Released(false)
                : fail(ErrorCode.BAD_VERSION);
    }

    private static boolean placeName(String name) {
        return name.matches("[xsp]-[0-9]{20}");
    }

    /** Why no node can be made at a path where there is none. */
    private ErrorCode badNewPath(String path) {
        for (Node n : nodes) {
            boolean above = path.startsWith(n.path + "/");
            if (above && (n.kind == NodeKind.EPHEMERAL || n.kind == NodeKind.PLACE)) {
                return ErrorCode.WRONG_KIND;
            }
        }
        return Arrays.stream(path.split("/")).anyMatch(ModelCell::placeName) ? ErrorCode.INVALID : null;
    }

    private boolean hasPlaces(String path) {
        return nodes.stream()
                .anyMatch(n -> n.kind == NodeKind.PLACE && n.parent().equals(path));
    }

    private Outcome put(Operation.Put o) {
        if (o.value().length > 65_536) {
            return fail(ErrorCode.TOO_LARGE);
        }
        Node n = find(o.path().value());
        if (n == null) {
            ErrorCode bad = badNewPath(o.path().value());
            if (bad != null) {
                return fail(bad);
            }
        } else if (n.path.equals("/")) {
            return fail(ErrorCode.INVALID);
        } else if (n.kind == NodeKind.EPHEMERAL || n.kind == NodeKind.PLACE || hasPlaces(n.path)) {
            return fail(ErrorCode.WRONG_KIND);
        }
        boolean exists = n != null && n.kind == NodeKind.PERSISTENT;
        if (o.expectedVersion() < -2) {
            return fail(ErrorCode.INVALID);
        }
        if (o.expectedVersion() == -1 && exists) {
            return fail(ErrorCode.EXISTS);
        }
        if (o.expectedVersion() >= 0 && (!exists || n.version != o.expectedVersion())) {
            return fail(ErrorCode.BAD_VERSION);
        }
        revision++;
        if (n == null) {
            n = add(o.path().value(), NodeKind.PERSISTENT, 0);
        } else if (exists) {
            n.version++;
        } else {
            n.kind = NodeKind.PERSISTENT;
            n.created = revision;
        }
        n.modified = revision;
        n.value = o.value();
        return new Outcome.Written(o.path(), n.version, revision, !exists);
    }

    private Node add(String path, NodeKind kind, long session) {
        Node n = new Node();
        n.path = path;
        n.kind = kind;
        n.session = session;
        n.created = revision;
        n.modified = revision;
        Node parent = find(n.parent());
        if (parent == null) {
            parent = add(n.parent(), NodeKind.CONTAINER, 0);
        }
        parent.childrenRevision = revision;
        nodes.add(n);
        return n;
    }

    private boolean hasChildren(Node node) {
        return nodes.stream().anyMatch(n -> n != node && n.parent().equals(node.path));
    }

    private void remove(Node node) {
        nodes.remove(node);
        Node parent = find(node.parent());
        parent.childrenRevision = revision;
        if (parent.kind == NodeKind.CONTAINER && !parent.path.equals("/") && !hasChildren(parent)) {
            remove(parent);
        }
    }

    private Outcome create(Session s, Operation.CreateEphemeral o) {
        if (o.path().isRoot()) {
            return fail(ErrorCode.INVALID);
        }
        String path = o.path().value() + (o.sequential() ? String.format("%020d", revision + 1) : "");
        if (o.value().length > 65_536) {
            return fail(ErrorCode.TOO_LARGE);
        }
        if (find(path) != null) {
            return fail(ErrorCode.EXISTS);
        }
        ErrorCode bad = badNewPath(path);
        if (bad != null) {
            return fail(bad);
        }
        revision++;
        add(path, NodeKind.EPHEMERAL, s.id).value = o.value();
        return new Outcome.Created(new NodePath(path), revision);
    }

    private Outcome delete(Operation.Delete o) {
        Node n = find(o.path().value());
        if (n == null) {
            return fail(ErrorCode.NOT_FOUND);
        }
        if (n.kind == NodeKind.PLACE || n.kind == NodeKind.CONTAINER) {
            return fail(ErrorCode.WRONG_KIND);
        }
        if (hasChildren(n)) {
            return fail(ErrorCode.NOT_EMPTY);
        }
        if (o.expectedVersion() == -1 || o.expectedVersion() < -2) {
            return fail(ErrorCode.INVALID);
        }
        if (o.expectedVersion() != -2 && o.expectedVersion() != n.version) {
            return fail(ErrorCode.BAD_VERSION);
        }
        revision++;
        remove(n);
        return new Outcome.Deleted(o.path(), revision);
    }

    private Outcome acquire(Session s, Operation.Acquire o) {
        String lock = o.lock().value();
        if (o.lock().isRoot() || o.lockDelayMillis() < 0 || o.lockDelayMillis() > 60_000) {
            return fail(ErrorCode.INVALID);
        }
        if (o.value().length > 65_536) {
            return fail(ErrorCode.TOO_LARGE);
        }
        if (o.mode() == LockMode.PERMIT ? o.permits() < 1 || o.permits() > 1_000_000 : o.permits() != 0) {
            return fail(ErrorCode.INVALID);
        }
        Node n = find(lock);
        if (n != null && n.kind != NodeKind.CONTAINER) {
            return fail(ErrorCode.WRONG_KIND);
        }
        if (n == null && badNewPath(lock) != null) {
            return fail(badNewPath(lock));
        }
        boolean shared = o.mode() == LockMode.SHARED;
        boolean permit = o.mode() == LockMode.PERMIT;
        List<Node> queue = lower(lock, Long.MAX_VALUE).toList();
        if (queue.stream().anyMatch(p -> p.permits != o.permits())) {
            return fail(ErrorCode.PERMITS_DIFFER);
        }
        Node blocker = queue.stream()
                .filter(p -> permit ? queue.size() >= o.permits() : !shared || !p.shared())
                .min(Comparator.comparing(p -> p.created))
                .orElse(null);
        if (o.onlyIfFree() && blocker != null) {
            return new Outcome.NotAcquired(o.lock(), new FencingToken(blocker.created));
        }
        revision++;
        String path = lock + "/" + (permit ? "p-" : shared ? "s-" : "x-") + String.format("%020d", revision);
        Node place = add(path, NodeKind.PLACE, s.id);
        place.permits = o.permits();
        place.delay = o.lockDelayMillis();
        place.value = o.value();
        return new Outcome.Placed(new NodePath(path), new FencingToken(revision), hasTurn(place), true);
    }

    private Outcome release(Session s, Operation.Release o) {
        String name = o.place().name();
        if (!placeName(name)) {
            return fail(ErrorCode.WRONG_KIND);
        }
        if (o.token().value() <= 0
                || o.token().value() > revision
                || !name.substring(2).equals(String.format("%020d", o.token().value()))) {
            return fail(ErrorCode.NOT_OWNER);
        }
        Node place = find(o.place().value());
        if (place == null) {
            return new Outcome.Released(false);
        }
        if (place.session != s.id) {
            return fail(ErrorCode.NOT_OWNER);
        }
        revision++;
        remove(place);
        return new Outcome.Released(true);
    }

    private Outcome cancel(Session s, long own, long doomed) {
        if (doomed == own) {
            return fail(ErrorCode.INVALID);
        }
        if (doomed <= s.watermark) {
            return new Outcome.Cancelled(null);
        }
        if (doomed > s.watermark + 1_024) {
            return fail(ErrorCode.REQUEST_WINDOW);
        }
        Outcome made = s.results.get(doomed);
        if (made == null) {
            s.results.put(doomed, fail(ErrorCode.CANCELLED));
            return new Outcome.Cancelled(null);
        }
        Node node = null;
        if (made instanceof Outcome.Placed p) {
            node = find(p.place().value());
        } else if (made instanceof Outcome.Created c) {
            node = find(c.path().value());
            node = node != null && node.created == c.revision() ? node : null;
        }
        if (node == null || node.session != s.id) {
            return new Outcome.Cancelled(null);
        }
        revision++;
        remove(node);
        if (node.kind == NodeKind.PLACE) {
            events.add(new CellEvent.PlaceRemoved(
                    new SessionId(s.id), new NodePath(node.path), new FencingToken(node.created)));
        }
        return new Outcome.Cancelled(new NodePath(node.path));
    }

    private Outcome end(long id, boolean expired) {
        revision++;
        List<Node> owned = nodes.stream()
                .filter(n -> n.session == id)
                .sorted(Comparator.comparing(n -> new NodePath(n.path)))
                .toList();
        List<Node> blocking = owned.stream()
                .filter(n -> expired && n.kind == NodeKind.PLACE && n.delay > 0 && hasTurn(n))
                .toList();
        for (Node node : owned) {
            if (blocking.contains(node)) {
                node.session = 0;
                find(node.parent()).childrenRevision = revision; // ADR 0009
                node.modified = revision;
                events.add(new CellEvent.DelayStarted(
                        new NodePath(node.path), new FencingToken(node.created), node.delay));
            } else {
                remove(node);
            }
        }
        sessions.removeIf(s -> s.id == id);
        events.add(new CellEvent.SessionEnded(new SessionId(id), expired));
        return new Outcome.SessionClosed();
    }
}
