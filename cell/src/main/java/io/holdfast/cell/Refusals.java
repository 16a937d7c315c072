package io.holdfast.cell;

import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.NodeTree;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * The checks that several operations share, each with what it says. Messages are kept with the results of requests
 * (R2.7), so they are short: a long path is cut.
 */
final class Refusals {
    private static final int SHOWN_CHARS = 120;

    private Refusals() {}

    static Outcome.Failed refused(ErrorCode code, String message) {
        return new Outcome.Failed(code, message);
    }

    static String shown(NodePath path) {
        String text = path.value();
        if (text.length() <= SHOWN_CHARS) {
            return "'" + text + "'";
        }
        int end = Character.isHighSurrogate(text.charAt(SHOWN_CHARS - 1)) ? SHOWN_CHARS - 1 : SHOWN_CHARS;
        return "'" + text.substring(0, end) + "…'";
    }

    /** What a node is, in words. */
    static String described(Node node, boolean hasPlaces) {
        return shown(node.path())
                + switch (node.kind()) {
                    case PERSISTENT -> " is a value";
                    case EPHEMERAL -> " is an ephemeral node";
                    case PLACE -> " is a place in a lock's queue";
                    case CONTAINER -> hasPlaces ? " is a lock in use" : " is a container of other nodes";
                };
    }

    /** F5, C107: one limit in all places. */
    static Outcome.@Nullable Failed value(byte[] value) {
        return value.length <= Limits.MAX_VALUE_BYTES
                ? null
                : refused(
                        ErrorCode.TOO_LARGE,
                        "value has " + value.length + " bytes, the limit is " + Limits.MAX_VALUE_BYTES);
    }

    /** Whether a user may make a node at a path where there is none. */
    static Outcome.@Nullable Failed newNode(NodeTree tree, NodePath path) {
        Node above = tree.nearestAncestor(path);
        if (above.is(NodeKind.EPHEMERAL) || above.is(NodeKind.PLACE)) {
            return refused(
                    ErrorCode.WRONG_KIND, described(above, false) + " and cannot have children such as " + shown(path));
        }
        if (PlaceName.isIn(path)) {
            return refused(
                    ErrorCode.INVALID,
                    "path " + shown(path) + " has a segment named like a place in a lock's queue; those are made by"
                            + " acquire alone");
        }
        return null;
    }

    static Outcome.@Nullable Failed full(CellState state, long moreBytes) {
        return state.isFullFor(moreBytes)
                ? refused(
                        ErrorCode.STATE_FULL,
                        "the cell's state is at its limit of " + state.stateBytesLimit()
                                + " bytes; releases and deletes still work")
                : null;
    }

    /** C65: the end of a session stays one step of bounded size. */
    static Outcome.@Nullable Failed oneMoreNode(CellState state, SessionId session) {
        return state.sessions().ownedBy(session).size() < Limits.MAX_NODES_PER_SESSION
                ? null
                : refused(
                        ErrorCode.LIMIT,
                        "session " + session + " owns " + Limits.MAX_NODES_PER_SESSION + " nodes, which is the limit");
    }
}
