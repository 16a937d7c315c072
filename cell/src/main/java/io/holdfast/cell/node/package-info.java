/**
 * The namespace: nodes and the tree that they form.
 *
 * <p>Start at {@link io.holdfast.cell.node.NodeTree}. Knows of sessions only their ids and of locks nothing. Must not
 * import: {@code lock}, {@code session}, the root package.
 */
@NullMarked
package io.holdfast.cell.node;

import org.jspecify.annotations.NullMarked;
