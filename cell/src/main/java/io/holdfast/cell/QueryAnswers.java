package io.holdfast.cell;

import static io.holdfast.cell.Refusals.shown;

import io.holdfast.cell.base.HeapSize;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.lock.LockQueue;
import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.session.Session;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the state. A page ends at its limit of entries or when it has {@link #PAGE_BYTES}, whichever comes first, so
 * that every page fits into a message (R8.4, C99, C107).
 */
final class QueryAnswers {
    /** Half of the largest message: names and values are counted, the rest of the encoding is not. */
    static final int PAGE_BYTES = Limits.MAX_BATCH_BYTES / 2;

    private static final Answer.Failed NOT_HERE =
            new Answer.Failed(ErrorCode.INVALID, "the cell's status is known to its leader, not to its state");

    private final CellState state;

    QueryAnswers(CellState state) {
        this.state = state;
    }

    Answer answer(Query query) {
        if (query instanceof Query.GetValue q) {
            return value(q.path());
        } else if (query instanceof Query.Stat q) {
            return stat(q.path());
        } else if (query instanceof Query.ListChildren q) {
            return children(q);
        } else if (query instanceof Query.PlaceState q) {
            return place(q);
        } else if (query instanceof Query.ListPlaces q) {
            return places(q);
        } else if (query instanceof Query.ListSessions q) {
            return sessions(q.after(), q.limit());
        } else if (query instanceof Query.CheckToken q) {
            return new Answer.TokenCheck(isPresentHold(q.lock(), q.token()));
        }
        return NOT_HERE;
    }

    private Answer value(NodePath path) {
        Node node = state.tree().find(path);
        if (node == null || !node.is(NodeKind.PERSISTENT)) { // R6.1
            return new Answer.Value(path, null, Operation.MUST_NOT_EXIST, 0, 0);
        }
        return new Answer.Value(path, node.value(), node.version(), node.createRevision(), node.modifyRevision());
    }

    private Answer stat(NodePath path) {
        Node node = state.tree().find(path);
        if (node == null) {
            return notFound(path);
        }
        return new Answer.NodeStat(
                path,
                node.kind(),
                node.version(),
                node.createRevision(),
                node.modifyRevision(),
                node.childrenRevision(),
                node.children(),
                node.value().length,
                node.session());
    }

    private Answer children(Query.ListChildren query) {
        Answer.Failed failure = badLimit(query.limit());
        if (failure != null) {
            return failure;
        }
        Node parent = state.tree().find(query.path());
        if (parent == null) {
            return notFound(query.path());
        }
        NodePath after = query.path();
        if (!query.afterName().isEmpty()) {
            String problem = NodePath.problemWith("/" + query.afterName());
            if (problem != null || query.afterName().indexOf('/') >= 0) {
                return new Answer.Failed(ErrorCode.INVALID, "afterName is no name of a node");
            }
            String text = (after.isRoot() ? "/" : after.value() + "/") + query.afterName();
            if (NodePath.problemWith(text) != null) {
                return new Answer.Failed(ErrorCode.INVALID, "afterName is too long for a child of this node");
            }
            after = new NodePath(text);
        }
        List<String> names = new ArrayList<>();
        long bytes = 0;
        Node child = state.tree().childAfter(query.path(), after);
        while (child != null && names.size() < query.limit() && bytes < PAGE_BYTES) {
            String name = child.path().name();
            names.add(name);
            bytes += HeapSize.of(name);
            child = state.tree().childAfter(query.path(), child.path());
        }
        return new Answer.Children(query.path(), names, child != null, parent.childrenRevision());
    }

    private Answer place(Query.PlaceState query) {
        Node place = state.tree().find(query.place());
        boolean present = place != null
                && place.is(NodeKind.PLACE)
                && place.createRevision() == query.token().value();
        boolean held = place != null && present && isHold(place);
        return new Answer.Place(query.place(), query.token(), present, held);
    }

    private boolean isHold(Node place) {
        return !place.isDelayed() && state.locks().isHeld(LockOperations.lockOf(place), CellState.tokenOf(place));
    }

    private boolean isPresentHold(NodePath lock, FencingToken token) {
        LockQueue queue = state.locks().find(lock);
        LockMode mode = queue == null ? null : queue.modeOf(token);
        return mode != null && isHold(state.placeAt(lock.child(PlaceName.of(mode, token))));
    }

    private Answer places(Query.ListPlaces query) {
        Answer.Failed failure = badLimit(query.limit());
        if (failure != null) {
            return failure;
        }
        NodePath prefix = query.prefix();
        @Nullable NodePath afterLock = query.after().parent();
        FencingToken afterToken = new FencingToken(0);
        NodePath from = prefix;
        if (afterLock != null) {
            String name = query.after().name();
            if (PlaceName.modeOf(name) == null) {
                return new Answer.Failed(ErrorCode.INVALID, "after " + shown(query.after()) + " is no place");
            }
            afterToken = PlaceName.tokenOf(name);
            from = afterLock.compareTo(prefix) > 0 ? afterLock : prefix;
        }
        List<Answer.PlaceInfo> page = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<NodePath, LockQueue> entry : state.locks().from(from).entrySet()) {
            NodePath lock = entry.getKey();
            if (!lock.equals(prefix) && !prefix.isAncestorOf(lock)) {
                break;
            }
            FencingToken token = lock.equals(afterLock) ? afterToken : new FencingToken(0);
            LockQueue.Place next = entry.getValue().after(token);
            while (next != null) {
                if (page.size() == query.limit() || bytes >= PAGE_BYTES) {
                    return new Answer.Places(page, true);
                }
                Answer.PlaceInfo info = infoOf(lock, next);
                page.add(info);
                bytes += info.value().length + HeapSize.of(info.place().value()) + HeapSize.of(info.clientName());
                next = entry.getValue().after(next.token());
            }
        }
        return new Answer.Places(page, false);
    }

    private Answer.PlaceInfo infoOf(NodePath lock, LockQueue.Place place) {
        NodePath path = lock.child(PlaceName.of(place.mode(), place.token()));
        Node node = state.placeAt(path);
        SessionId owner = node.session();
        Session session = owner == null ? null : state.sessions().find(owner);
        return new Answer.PlaceInfo(
                lock,
                path,
                place.token(),
                place.mode(),
                isHold(node),
                owner,
                session == null ? "" : session.opening().clientName(),
                node.wallMillis(),
                node.value(),
                node.permits(),
                false);
    }

    Answer sessions(SessionId after, int limit) {
        Answer.Failed failure = badLimit(limit);
        if (failure != null) {
            return failure;
        }
        List<Answer.SessionInfo> page = new ArrayList<>();
        long bytes = 0;
        Iterator<PersistentMap.Entry<SessionId, Session>> rest =
                state.sessions().after(after);
        while (rest.hasNext() && page.size() < limit && bytes < PAGE_BYTES) {
            Session session = rest.next().value();
            page.add(new Answer.SessionInfo(
                    session.id(),
                    session.opening().clientName(),
                    session.leaseMillis(),
                    0,
                    session.opening().wallMillis(),
                    state.sessions().ownedBy(session.id()).size(),
                    false,
                    false));
            bytes += HeapSize.of(session.opening().clientName());
        }
        return new Answer.Sessions(page, rest.hasNext());
    }

    private static Answer.@Nullable Failed badLimit(int limit) {
        return limit >= 1 && limit <= Limits.MAX_PAGE_ENTRIES
                ? null
                : new Answer.Failed(ErrorCode.INVALID, "limit " + limit + " is not in 1 to " + Limits.MAX_PAGE_ENTRIES);
    }

    private static Answer.Failed notFound(NodePath path) {
        return new Answer.Failed(ErrorCode.NOT_FOUND, "no node " + shown(path));
    }
}
