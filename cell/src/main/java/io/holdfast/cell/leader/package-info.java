/**
 * What only a leader knows, and forgets with its term (R2.4): deadlines of sessions and of lock-delays, who watches what, and
 * what operators are ending.
 *
 * <p>Start at {@link io.holdfast.cell.leader.SessionKeeper}. Time is passed in as nanoseconds of a monotonic clock with any
 * origin. Must not import: a clock, or the state machine itself.
 */
@NullMarked
package io.holdfast.cell.leader;

import org.jspecify.annotations.NullMarked;
