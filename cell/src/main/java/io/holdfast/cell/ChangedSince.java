package io.holdfast.cell;

import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.NodeTree;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.WatchKind;

/**
 * Whether anything that a watch covers is newer than what its client has seen, judged by the state alone.
 *
 * <p><b>Invariants:</b> 1. If anything was newer at any time, the answer is yes, also if it is now as it was. 2. The answer
 * may be yes although nothing is, only where there is nothing at the path, or a container became a value.
 *
 * <p>Why the ancestor is enough where there is nothing at the path: one that exists since {@code seen} has lost, since then,
 * the child on the way to whatever was at the path; one that does not was created since then.
 *
 * <p><b>Source:</b> R5.3, ADR 0009.
 */
final class ChangedSince {
    private ChangedSince() {}

    /** @param seen a revision at which the client knew all that the watch covers */
    static boolean isNewer(NodeTree tree, WatchKind kind, NodePath path, long seen) {
        Node node = tree.find(path);
        if (node == null) {
            return childrenAreNewer(tree.nearestAncestor(path), seen); // R5.3: on an absent path
        }
        return switch (kind) {
            case VALUE -> valueIsNewer(node, seen);
            case EXISTENCE -> node.createRevision() > seen; // C40: whatever its version
            case CHILDREN -> childrenAreNewer(node, seen);
        };
    }

    /** A node that is no value has had none since it was created: only by being created anew does it become one. */
    private static boolean valueIsNewer(Node node, long seen) {
        return node.is(NodeKind.PERSISTENT) ? node.modifyRevision() > seen : node.createRevision() > seen;
    }

    /** R5.3 speaks of the children's revision alone; a node that was created anew may have had no child yet (ADR 0009). */
    private static boolean childrenAreNewer(Node node, long seen) {
        return Math.max(node.createRevision(), node.childrenRevision()) > seen;
    }
}
