/**
 * Bytes in and out: the primitives of the command and snapshot formats.
 *
 * <p>Start at {@link io.holdfast.cell.format.Encoder}. Must not import: any other package of this module.
 */
@NullMarked
package io.holdfast.cell.format;

import org.jspecify.annotations.NullMarked;
