/**
 * The records of leased locks: who holds which name, and which holds were given back lately (F8).
 *
 * <p>Start at {@link io.holdfast.cell.lease.LeaseTable}. How long a lease still runs is not here: only the leader knows (R7.1). Must
 * not import: {@code session}, {@code node}, {@code lock}, {@code leader}, the root package.
 */
@NullMarked
package io.holdfast.cell.lease;

import org.jspecify.annotations.NullMarked;
