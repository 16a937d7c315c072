package io.holdfast.cell;

import static io.holdfast.cell.Refusals.refused;

import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.Stamp;
import io.holdfast.cell.session.Session;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * Requests of sessions, each applied at most once, and commands without a session.
 *
 * <p><b>Source:</b> R2.7.
 */
final class RequestOperations {
    private final CellState state;
    private final NodeOperations nodes;
    private final LockOperations locks;
    private final SessionOperations sessions;
    private final BatchOperations batches;

    RequestOperations(CellState state, NodeOperations nodes, LockOperations locks, SessionOperations sessions) {
        this.state = state;
        this.nodes = nodes;
        this.locks = locks;
        this.sessions = sessions;
        this.batches = new BatchOperations(state, nodes);
    }

    Outcome request(Command.Request request) {
        if (state.sessions().find(request.session()) == null) {
            return refused(ErrorCode.SESSION_EXPIRED, "session " + request.session() + " has ended");
        }
        Session session = state.sessions().raiseWatermark(request.session(), request.watermark()); // R2.7
        long id = request.requestId();
        if (id <= session.watermark()) { // R2.7: answered and seen, or never to be applied
            return refused(
                    ErrorCode.REQUEST_OLD,
                    "request " + id + " is not above the session's watermark " + session.watermark());
        }
        if (isBeyondWindow(session, id)) { // R2.7: none is evicted
            return beyondWindow(session, id);
        }
        Outcome stored = session.result(id); // R2.7: a repeated request is answered, not applied
        if (stored != null) {
            return judgedNow(stored);
        }
        Outcome outcome = perform(session, id, request.operation());
        if (state.sessions().find(session.id()) != null) {
            state.sessions().keepResult(session.id(), id, outcome); // R2.7: failures too
        }
        return outcome;
    }

    private Outcome perform(Session session, long requestId, Operation operation) {
        if (operation instanceof Operation.Put put) {
            return nodes.put(put);
        } else if (operation instanceof Operation.Delete delete) {
            return nodes.delete(delete);
        } else if (operation instanceof Operation.CreateEphemeral create) {
            return nodes.createEphemeral(session.id(), create);
        } else if (operation instanceof Operation.Acquire acquire) {
            return locks.acquire(session.id(), acquire);
        } else if (operation instanceof Operation.Release release) {
            return locks.release(session.id(), release);
        } else if (operation instanceof Operation.Cancel cancel) {
            return cancel(session, requestId, cancel.requestId());
        } else if (operation instanceof Operation.Batch batch) {
            return batches.apply(batch);
        } else if (operation instanceof Operation.CloseSession) {
            return sessions.close(session.id());
        }
        return notForTheLog(operation);
    }

    Outcome oneShot(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return nodes.put(put);
        } else if (operation instanceof Operation.Delete delete) {
            return nodes.delete(delete);
        } else if (operation instanceof Operation.Batch batch) {
            return batches.apply(batch);
        }
        if (operation instanceof Operation.BreakPlace || operation instanceof Operation.EndSession) {
            return notForTheLog(operation);
        }
        return refused(ErrorCode.INVALID, "operation " + operation.getClass().getSimpleName() + " needs a session");
    }

    /** R3.6: what an operator asks for is carried out by the leader, which proposes commands of its own. */
    private static Outcome.Failed notForTheLog(Operation operation) {
        return refused(
                ErrorCode.INVALID,
                "operation " + operation.getClass().getSimpleName() + " is asked of the leader, without a session");
    }

    private static boolean isBeyondWindow(Session session, long requestId) {
        return requestId - session.watermark() > Limits.MAX_RESULTS_PER_SESSION;
    }

    private static Outcome.Failed beyondWindow(Session session, long requestId) {
        return refused(
                ErrorCode.REQUEST_WINDOW,
                "request " + requestId + " is more than " + Limits.MAX_RESULTS_PER_SESSION
                        + " above the session's watermark " + session.watermark());
    }

    /** R2.7: a result names the place; whether it is there and held is judged when answering. */
    private Outcome judgedNow(Outcome stored) {
        if (!(stored instanceof Outcome.Placed placed)) {
            return stored;
        }
        Node place = state.tree().find(placed.place());
        boolean present = place != null && place.session() != null;
        boolean held = place != null && present && state.locks().isHeld(LockOperations.lockOf(place), placed.token());
        return new Outcome.Placed(placed.place(), placed.token(), held, present);
    }

    /**
     * R2.7: undoes what request {@code doomed} made, or sees to it that it never applies. An id at or below the watermark
     * can never apply any more, and its answer was seen, so there is nothing to do for it.
     */
    private Outcome cancel(Session session, long requestId, long doomed) {
        if (doomed == requestId) {
            return refused(ErrorCode.INVALID, "requestId " + doomed + " is the cancel's own");
        }
        if (doomed <= session.watermark()) {
            return new Outcome.Cancelled(null);
        }
        if (isBeyondWindow(session, doomed)) {
            return beyondWindow(session, doomed);
        }
        Outcome made = session.result(doomed);
        if (made == null) {
            Outcome never = refused(ErrorCode.CANCELLED, "request " + doomed + " was cancelled before it arrived");
            state.sessions().keepResult(session.id(), doomed, never); // R2.7: it never applies
            return new Outcome.Cancelled(null);
        }
        return new Outcome.Cancelled(undo(session.id(), made));
    }

    /** Removes the node that a request of this session made; returns its path, or null if there is nothing to remove. */
    private @Nullable NodePath undo(SessionId session, Outcome made) {
        Node node = null;
        if (made instanceof Outcome.Placed placed) {
            node = ownNode(session, placed.place(), placed.token().value());
        } else if (made instanceof Outcome.Created created) {
            node = ownNode(session, created.path(), created.revision());
        }
        if (node == null) {
            return null;
        }
        Stamp now = state.mutate();
        if (node.is(NodeKind.PLACE)) {
            FencingToken token = CellState.tokenOf(node);
            locks.remove(node, now.revision());
            state.tell(new CellEvent.PlaceRemoved(session, node.path(), token));
        } else {
            nodes.remove(node, now.revision());
        }
        return node.path();
    }

    private @Nullable Node ownNode(SessionId session, NodePath path, long createRevision) {
        Node node = state.tree().find(path);
        boolean own = node != null && session.equals(node.session()) && node.createRevision() == createRevision;
        return own ? node : null;
    }
}
