package io.holdfast.cell;

import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.NodeTree;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.WatchKind;

/**
 * Whether anything that a watch covers is newer than what its client has seen, judged by the state alone.
 *
 * <p><b>Invariants:</b> Newer than seen is what has a higher revision here. 1. If anything was newer at any time, it is, also if it is
 * now as it was. 2. It may be although nothing is, only where there is nothing at the path, or a container became a value.
 *
 * <p>Why the ancestor is enough where there is nothing at the path: one that exists since {@code seen} has lost, since then,
 * the child on the way to whatever was at the path; one that does not was created since then.
 *
 * <p><b>Source:</b> R5.3, ADR 0009.
 */
final class ChangedSince {
    private ChangedSince() {}

    /** The revision that a client must have seen to know all that the watch covers as it is: less, and something may be newer. */
    static long newest(NodeTree tree, WatchKind kind, NodePath path) {
        Node node = tree.find(path);
        if (node == null) {
            return newestChild(tree.nearestAncestor(path)); // R5.3: on an absent path
        }
        return switch (kind) {
            case VALUE -> newestValue(node);
            case EXISTENCE -> node.createRevision(); // C40: whatever its version
            case CHILDREN -> newestChild(node);
        };
    }

    /** A node that is no value has had none since it was created: only by being created anew does it become one. */
    private static long newestValue(Node node) {
        return node.is(NodeKind.PERSISTENT) ? node.modifyRevision() : node.createRevision();
    }

    /** R5.3 speaks of the children's revision alone; a node that was created anew may have had no child yet (ADR 0009). */
    private static long newestChild(Node node) {
        return Math.max(node.createRevision(), node.childrenRevision());
    }
}
