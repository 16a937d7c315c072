package io.holdfast.cell.node;

/** Hears of every change of the tree, in order. */
public interface NodeListener {
    /** @param node as it is now, or was last */
    void nodeChanged(Node node, long revision, NodeChange change);
}
