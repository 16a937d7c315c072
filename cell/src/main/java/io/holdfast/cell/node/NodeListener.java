package io.holdfast.cell.node;

import io.holdfast.model.NodePath;

/** Hears of every change of the tree, in order. */
public interface NodeListener {
    /** @param created and {@code deleted}: at most one is true; neither means that the node's own content changed */
    void nodeChanged(NodePath path, long revision, boolean created, boolean deleted);
}
