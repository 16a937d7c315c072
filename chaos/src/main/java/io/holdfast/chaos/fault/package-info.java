/**
 * What is done to the cell and its clients, and by whom.
 *
 * <p>Start at {@link io.holdfast.chaos.fault.Nemesis}. Must not import: checks; faults do not judge.
 */
@NullMarked
package io.holdfast.chaos.fault;

import org.jspecify.annotations.NullMarked;
