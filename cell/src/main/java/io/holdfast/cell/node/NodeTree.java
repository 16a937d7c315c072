package io.holdfast.cell.node;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a cell, sorted by path, so that a subtree is one contiguous range.
 *
 * <p><b>Thread:</b> the one that applies. {@link #frozen()} may be read by any.
 *
 * <p><b>Invariants:</b> 1. The root exists, and with a node its parent. 2. A container other than the root has a child
 * (R4.1). 3. {@code digest} and {@code bytes} are the sums over all nodes.
 *
 * <p><b>Source:</b> R4.1.
 */
public final class NodeTree {
    private final NodeListener listener;
    private PersistentMap<NodePath, Node> nodes = PersistentMap.empty();
    private long digest;
    private long bytes;

    /** An empty tree: without even the root. */
    private NodeTree(NodeListener listener) {
        this.listener = listener;
    }

    public static NodeTree withRoot(NodeListener listener) {
        NodeTree tree = new NodeTree(listener);
        tree.put(Node.container(NodePath.ROOT, new Stamp(0, 0)));
        return tree;
    }

    /** A tree of just these nodes, as a snapshot had them. */
    public static NodeTree restored(NodeListener listener, Iterable<Node> nodes) {
        NodeTree tree = new NodeTree(listener);
        for (Node node : nodes) {
            Invariants.check(tree.find(node.path()) == null, "a snapshot names a node once");
            tree.put(node);
        }
        Invariants.check(tree.find(NodePath.ROOT) != null, "a snapshot has the root");
        return tree;
    }

    public @Nullable Node find(NodePath path) {
        return nodes.get(path);
    }

    public int size() {
        return nodes.size();
    }

    /** Sum of the nodes' {@link Node#cost()}. */
    public long bytes() {
        return bytes;
    }

    public long digest() {
        return digest;
    }

    /** The nodes as they are now, for ever. */
    public PersistentMap<NodePath, Node> frozen() {
        return nodes;
    }

    /** The tree at one moment, to go back to. */
    public record Mark(PersistentMap<NodePath, Node> nodes, long digest, long bytes) {}

    public Mark mark() {
        return new Mark(nodes, digest, bytes);
    }

    /** Makes the tree what it was; the listener is not told. */
    public void rollBackTo(Mark mark) {
        nodes = mark.nodes();
        digest = mark.digest();
        bytes = mark.bytes();
    }

    /** The nearest node above a path; the root's is the root. */
    public Node nearestAncestor(NodePath path) {
        NodePath above = path.parent();
        while (above != null) {
            Node node = nodes.get(above);
            if (node != null) {
                return node;
            }
            above = above.parent();
        }
        return Invariants.present(nodes.get(NodePath.ROOT), "the root exists");
    }

    /** What the containers cost that a node at this path would need. */
    public long costOfMissingAncestors(NodePath path) {
        long cost = 0;
        for (NodePath above = path.parent(); above != null && nodes.get(above) == null; above = above.parent()) {
            cost += Node.costOf(above, NodeKind.CONTAINER, 0);
        }
        return cost;
    }

    /** Adds a node, and the containers above it that are missing (R4.1). */
    public void create(Node node, Stamp now) {
        NodePath parent = Invariants.present(node.path().parent(), "a new node is not the root");
        Invariants.check(nodes.get(node.path()) == null, "a new node has a new path");
        if (nodes.get(parent) == null) {
            create(Node.container(parent, now), now);
        }
        put(node);
        changeChildren(parent, 1, now.revision());
        listener.nodeChanged(node, now.revision(), NodeChange.CREATED);
    }

    /** Replaces a node by another state of it. */
    public void replace(Node node) {
        Node old = Invariants.present(nodes.get(node.path()), "a replaced node exists");
        put(node);
        NodeChange change = old.kind() == node.kind() ? NodeChange.CHANGED : NodeChange.TURNED;
        listener.nodeChanged(node, node.modifyRevision(), change);
    }

    /** A place loses its session (R4.6); who watches the children of its lock must know that nobody stands there. */
    public void delay(Node place, long revision) {
        NodePath lock = Invariants.present(place.path().parent(), "a place lies below its lock");
        put(place.withoutSession(revision));
        changeChildren(lock, 0, revision);
        listener.nodeChanged(place, revision, NodeChange.DELAYED);
    }

    /** Removes a node without children, and the containers above it that it leaves empty (R4.1). */
    public void delete(NodePath path, long revision) {
        NodePath doomed = path;
        while (doomed != null) {
            NodePath parent = Invariants.present(doomed.parent(), "the root is never deleted");
            Node node = Invariants.present(nodes.get(doomed), "a deleted node exists");
            Invariants.check(node.children() == 0, "a deleted node has no children");
            remove(node);
            listener.nodeChanged(node, revision, NodeChange.DELETED);
            Node above = changeChildren(parent, -1, revision);
            doomed = isEmptyContainer(above) ? parent : null;
        }
    }

    private static boolean isEmptyContainer(Node node) {
        return node.is(NodeKind.CONTAINER)
                && node.children() == 0
                && !node.path().isRoot();
    }

    private Node changeChildren(NodePath path, int by, long revision) {
        Node node = Invariants.present(nodes.get(path), "a node's parent exists");
        Node changed = node.withChildren(node.children() + by, revision);
        put(changed);
        return changed;
    }

    private void put(Node node) {
        Node old = nodes.get(node.path());
        if (old != null) {
            digest -= old.digest();
            bytes -= old.cost();
        }
        digest += node.digest();
        bytes += node.cost();
        nodes = nodes.with(node.path(), node);
    }

    private void remove(Node node) {
        digest -= node.digest();
        bytes -= node.cost();
        nodes = nodes.without(node.path());
    }

    /**
     * The first child of {@code parent} by name.
     *
     * @param after begin after this child, which need not exist; the parent itself to begin at the first
     */
    public @Nullable Node childAfter(NodePath parent, NodePath after) {
        // A child comes directly before everything below it: the next child is the first beyond that.
        Predicate<NodePath> atOrAfter = after.equals(parent)
                ? path -> path.compareTo(parent) > 0
                : path -> path.compareTo(after) > 0 && !after.isAncestorOf(path);
        PersistentMap.Entry<NodePath, Node> next = nodes.first(atOrAfter);
        return next == null || !parent.isAncestorOf(next.key()) ? null : next.value();
    }

    /** The digest computed from nothing; slow. */
    public long recomputedDigest() {
        long sum = 0;
        for (PersistentMap.Entry<NodePath, Node> entry : nodes) {
            sum += entry.value().recomputedDigest();
        }
        return sum;
    }

    /** The bytes computed from nothing; slow. */
    public long recomputedBytes() {
        long sum = 0;
        for (PersistentMap.Entry<NodePath, Node> entry : nodes) {
            sum += entry.value().cost();
        }
        return sum;
    }
}
