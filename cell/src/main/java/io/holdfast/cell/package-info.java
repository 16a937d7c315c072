/**
 * The replicated state of a cell as a pure state machine.
 *
 * <p>Start at {@link io.holdfast.cell.CellStateMachine}: {@code apply(index, term, entry)} takes what the log committed and
 * says what came of it. {@link io.holdfast.cell.Command} lists what the log can hold. The soft state that only a leader
 * has lives in {@code io.holdfast.cell.leader}.
 *
 * <p>Must not import: consensus, storage, the wire, the loop; no clock, thread, I/O or randomness (R2.2).
 */
@NullMarked
package io.holdfast.cell;

import org.jspecify.annotations.NullMarked;
