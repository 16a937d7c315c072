package io.holdfast.cell;

import static io.holdfast.cell.Refusals.refused;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.Stamp;
import io.holdfast.cell.session.Opening;
import io.holdfast.cell.session.Session;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Opening and ending sessions (R3.1, R3.2). */
final class SessionOperations {
    private final CellState state;
    private final NodeOperations nodes;

    SessionOperations(CellState state, NodeOperations nodes) {
        this.state = state;
        this.nodes = nodes;
    }

    Outcome open(Command.OpenSession open) {
        Outcome.Failed failure = badOpening(open);
        if (failure != null) {
            return failure;
        }
        Session present = state.sessions().findBySecret(open.secret());
        if (present != null) {
            return new Outcome.SessionOpened(present.id(), present.leaseMillis());
        }
        Opening opening =
                new Opening(open.secret(), open.leaseMillis(), open.clientName(), open.caching(), state.wallMillis());
        failure = Refusals.full(state, Session.costOf(opening));
        if (failure != null) {
            return failure;
        }
        SessionId id = new SessionId(state.mutate().revision());
        state.sessions().add(Session.opened(id, opening));
        state.tell(new CellEvent.SessionOpened(id, open.leaseMillis()));
        return new Outcome.SessionOpened(id, open.leaseMillis());
    }

    private static Outcome.@Nullable Failed badOpening(Command.OpenSession open) {
        if (open.secret().length != Limits.SECRET_BYTES) {
            return refused(
                    ErrorCode.INVALID,
                    "secret has " + open.secret().length + " bytes, it must have " + Limits.SECRET_BYTES);
        }
        if (open.leaseMillis() < Limits.MIN_SESSION_LEASE_MILLIS
                || open.leaseMillis() > Limits.MAX_SESSION_LEASE_MILLIS) {
            return refused(
                    ErrorCode.INVALID,
                    "leaseMillis " + open.leaseMillis() + " is not in " + Limits.MIN_SESSION_LEASE_MILLIS + " to "
                            + Limits.MAX_SESSION_LEASE_MILLIS);
        }
        if (open.clientName().getBytes(StandardCharsets.UTF_8).length > Limits.MAX_NAME_BYTES) {
            return refused(
                    ErrorCode.INVALID, "clientName is longer than the limit of " + Limits.MAX_NAME_BYTES + " bytes");
        }
        if (open.clientName().chars().anyMatch(Character::isISOControl)) {
            return refused(ErrorCode.INVALID, "clientName has a control character");
        }
        return null;
    }

    /** R3.2: the leader of {@code expire.term()} saw the deadline pass. */
    Outcome expire(Command.ExpireSession expire) {
        if (expire.term() != state.term()) { // R2.5
            return refused(
                    ErrorCode.UNAVAILABLE,
                    "ignored: decided in term " + expire.term() + ", the entry is of term " + state.term());
        }
        Session session = state.sessions().find(expire.session());
        if (session == null) {
            return refused(ErrorCode.NOT_FOUND, "ignored: session " + expire.session() + " has ended");
        }
        end(session.id(), true);
        return new Outcome.SessionClosed();
    }

    Outcome close(SessionId session) {
        end(session, false);
        return new Outcome.SessionClosed();
    }

    /** The session goes with all that it has, in one step; only then its successors are let in, in lock-path order. */
    private void end(SessionId session, boolean expired) {
        Stamp now = state.mutate();
        TreeSet<NodePath> locks = new TreeSet<>();
        for (NodePath path : new ArrayList<>(state.sessions().ownedBy(session))) {
            Node node = Invariants.present(state.tree().find(path), "an owned node exists");
            if (!node.is(NodeKind.PLACE)) {
                nodes.remove(node, now.revision());
                continue;
            }
            NodePath lock = LockOperations.lockOf(node);
            if (expired && blocksOn(node, lock)) {
                startDelay(node, now.revision());
            } else {
                state.removePlace(node, lock, now.revision());
                locks.add(lock);
            }
        }
        state.sessions().remove(session);
        locks.forEach(state::grantNext);
        state.tell(new CellEvent.SessionEnded(session, expired));
    }

    /** R4.6: only a hold is followed by a lock-delay, never a wait. */
    private boolean blocksOn(Node place, NodePath lock) {
        return place.lockDelayMillis() > 0 && state.locks().isHeld(lock, CellState.tokenOf(place));
    }

    private void startDelay(Node place, long revision) {
        SessionId owner = Invariants.present(place.session(), "an owned place has a session");
        FencingToken token = CellState.tokenOf(place);
        state.sessions().disown(owner, place.path());
        state.tree().delay(place, revision);
        state.locks().delay(place.path());
        state.tell(new CellEvent.DelayStarted(place.path(), token, place.lockDelayMillis()));
    }
}
