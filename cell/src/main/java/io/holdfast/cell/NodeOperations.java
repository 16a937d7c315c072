package io.holdfast.cell;

import static io.holdfast.cell.Refusals.described;
import static io.holdfast.cell.Refusals.refused;
import static io.holdfast.cell.Refusals.shown;

import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.NodeTree;
import io.holdfast.cell.node.Stamp;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Values and ephemeral nodes (R4.1). Every method checks all, then changes all: a refusal leaves no trace (R5.4). */
final class NodeOperations {
    private final CellState state;
    private final NodeTree tree;

    NodeOperations(CellState state) {
        this.state = state;
        this.tree = state.tree();
    }

    Outcome put(Operation.Put put) {
        return put(put, state::mutate);
    }

    /** @param mutation called once if it is certain to happen */
    Outcome put(Operation.Put put, Supplier<Stamp> mutation) {
        Node present = tree.find(put.path());
        Outcome.Failed failure = refusal(put, present);
        if (failure == null) {
            failure = Refusals.full(state, growth(put, present));
        }
        if (failure != null) {
            return failure;
        }
        Stamp now = mutation.get();
        if (present == null) {
            tree.create(Node.persistent(put.path(), put.value(), now), now);
            return new Outcome.Written(put.path(), 0, now.revision(), true);
        }
        boolean created = !present.is(NodeKind.PERSISTENT);
        Node node = created ? present.madePersistent(put.value(), now) : present.withValue(put.value(), now.revision());
        tree.replace(node);
        return new Outcome.Written(put.path(), node.version(), now.revision(), created);
    }

    /** Why it cannot be done; null if it can, but for the limit of the state, which the entry brings. */
    Outcome.@Nullable Failed refusal(Operation.Put put, @Nullable Node present) {
        Outcome.Failed failure = Refusals.value(put.value());
        if (failure == null) {
            failure = present == null ? Refusals.newNode(tree, put.path()) : noPlaceForValue(present);
        }
        return failure == null ? wrongVersion(put.path(), put.expectedVersion(), present) : failure;
    }

    /** C106: a lock in use cannot be overwritten by a value. */
    private Outcome.@Nullable Failed noPlaceForValue(Node present) {
        if (present.path().isRoot()) {
            return refused(ErrorCode.INVALID, "path '/' is the root and has no value");
        }
        boolean hasPlaces = state.locks().hasPlaces(present.path());
        boolean fits = present.is(NodeKind.PERSISTENT) || (present.is(NodeKind.CONTAINER) && !hasPlaces);
        return fits ? null : refused(ErrorCode.WRONG_KIND, described(present, hasPlaces) + " and cannot have a value");
    }

    Outcome.@Nullable Failed wrongVersion(NodePath path, long expected, @Nullable Node present) {
        boolean exists = present != null && present.is(NodeKind.PERSISTENT);
        if (expected == Operation.ANY_VERSION) {
            return null;
        }
        if (expected < Operation.ANY_VERSION) {
            return refused(ErrorCode.INVALID, "expectedVersion " + expected + " is no version");
        }
        if (expected == Operation.MUST_NOT_EXIST) {
            return exists ? refused(ErrorCode.EXISTS, shown(path) + " exists") : null;
        }
        if (present != null && exists) {
            return present.version() == expected ? null : badVersion(path, expected, present);
        }
        return refused(ErrorCode.BAD_VERSION, shown(path) + " has no value, expected version " + expected);
    }

    private static Outcome.Failed badVersion(NodePath path, long expected, Node present) {
        return refused(
                ErrorCode.BAD_VERSION, shown(path) + " has version " + present.version() + ", expected " + expected);
    }

    private long growth(Operation.Put put, @Nullable Node present) {
        return present == null
                ? Node.costOf(put.path(), NodeKind.PERSISTENT, put.value().length)
                        + tree.costOfMissingAncestors(put.path())
                : put.value().length - present.value().length;
    }

    Outcome createEphemeral(SessionId session, Operation.CreateEphemeral create) {
        NodePath asked = create.path();
        if (asked.isRoot()) {
            return refused(ErrorCode.INVALID, "path '/' is the root and cannot be an ephemeral node");
        }
        int bytes = asked.value().getBytes(StandardCharsets.UTF_8).length;
        if (create.sequential() && bytes + PlaceName.DIGITS > Limits.MAX_PATH_BYTES) {
            return refused(
                    ErrorCode.TOO_LARGE,
                    "path " + shown(asked) + " with its sequence number is longer than " + Limits.MAX_PATH_BYTES
                            + " bytes");
        }
        NodePath path =
                create.sequential() ? new NodePath(asked.value() + PlaceName.digits(state.revision() + 1)) : asked;
        Node present = tree.find(path);
        Outcome.Failed failure = Refusals.value(create.value());
        if (failure == null) {
            failure = present == null
                    ? Refusals.newNode(tree, path)
                    : refused(ErrorCode.EXISTS, described(present, state.locks().hasPlaces(path)) + " already");
        }
        if (failure == null) {
            failure = Refusals.oneMoreNode(state, session);
        }
        if (failure == null) {
            long growth = Node.costOf(path, NodeKind.EPHEMERAL, create.value().length);
            failure = Refusals.full(state, growth + tree.costOfMissingAncestors(path));
        }
        if (failure != null) {
            return failure;
        }
        Stamp now = state.mutate();
        tree.create(Node.ephemeral(path, create.value(), session, now), now);
        state.sessions().own(session, path);
        return new Outcome.Created(path, now.revision());
    }

    Outcome delete(Operation.Delete delete) {
        return delete(delete, state::mutate);
    }

    /** @param mutation called once if it is certain to happen */
    Outcome delete(Operation.Delete delete, Supplier<Stamp> mutation) {
        Node present = tree.find(delete.path());
        Outcome.Failed failure = refusal(delete, present);
        if (failure != null || present == null) {
            return failure == null ? noNode(delete.path()) : failure;
        }
        Stamp now = mutation.get();
        remove(present, now.revision());
        return new Outcome.Deleted(delete.path(), now.revision());
    }

    /** Why it cannot be done; null if it can. */
    Outcome.@Nullable Failed refusal(Operation.Delete delete, @Nullable Node present) {
        if (present == null) {
            return noNode(delete.path());
        }
        Outcome.Failed failure = undeletable(present);
        if (failure != null) {
            return failure;
        }
        return wrongVersionToDelete(delete, present);
    }

    Outcome.@Nullable Failed wrongVersionToDelete(Operation.Delete delete, @Nullable Node present) {
        if (present == null) {
            return noNode(delete.path());
        }
        long expected = delete.expectedVersion();
        if (expected < Operation.ANY_VERSION || expected == Operation.MUST_NOT_EXIST) {
            return refused(ErrorCode.INVALID, "expectedVersion " + expected + " is no version");
        }
        boolean fits = expected == Operation.ANY_VERSION || expected == present.version();
        return fits ? null : badVersion(delete.path(), expected, present);
    }

    private static Outcome.Failed noNode(NodePath path) {
        return refused(ErrorCode.NOT_FOUND, "no node " + shown(path));
    }

    /** C106: a lock in use cannot be removed as if it were a value. */
    private Outcome.@Nullable Failed undeletable(Node present) {
        return switch (present.kind()) {
            case PERSISTENT, EPHEMERAL ->
                present.children() == 0
                        ? null
                        : refused(
                                ErrorCode.NOT_EMPTY,
                                shown(present.path()) + " has " + present.children() + " children; delete them first");
            case PLACE ->
                refused(
                        ErrorCode.WRONG_KIND,
                        described(present, false) + "; its session releases it, an admin breaks it");
            case CONTAINER ->
                refused(
                        ErrorCode.WRONG_KIND,
                        described(present, state.locks().hasPlaces(present.path()))
                                + "; it goes by itself with the last node below it");
        };
    }

    /** Removes a value or an ephemeral node without children. */
    void remove(Node node, long revision) {
        SessionId owner = node.session();
        if (owner != null) {
            state.sessions().disown(owner, node.path());
        }
        tree.delete(node.path(), revision);
    }
}
