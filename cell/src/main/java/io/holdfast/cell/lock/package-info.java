/**
 * Who holds a lock and who waits for it.
 *
 * <p>Start at {@link io.holdfast.cell.lock.LockQueue}, the one class that knows the rule (R4.2). All of this is derived
 * from the places in the tree. Must not import: {@code session}, the root package.
 */
@NullMarked
package io.holdfast.cell.lock;

import org.jspecify.annotations.NullMarked;
