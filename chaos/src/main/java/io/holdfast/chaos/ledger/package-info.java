/**
 * The program {@code chaos/ledger}: processes move money in a real PostgreSQL under locks, while they are stopped for longer than
 * their lease and leaders are killed; with the guard the ledger balances, without it it does not (F3, F9, R4.7).
 *
 * <p>Start at {@link io.holdfast.chaos.ledger.LedgerShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.ledger;

import org.jspecify.annotations.NullMarked;
