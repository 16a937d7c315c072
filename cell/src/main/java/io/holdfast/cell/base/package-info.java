/**
 * What the other packages of the cell build on: checks, a stable hash, sizes, and a sorted map whose copies cost nothing.
 *
 * <p>Start at {@link io.holdfast.cell.base.PersistentMap}. Must not import: any other package of this module.
 */
@NullMarked
package io.holdfast.cell.base;

import org.jspecify.annotations.NullMarked;
