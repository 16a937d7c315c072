/**
 * The program {@code chaos/frozen}: a leader that is frozen and wakes confirms nothing and answers nothing that is old (R2.6, N6).
 *
 * <p>Start at {@link io.holdfast.chaos.frozen.FrozenRound}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.frozen;

import org.jspecify.annotations.NullMarked;
