/**
 * Sessions with what makes their requests apply exactly once.
 *
 * <p>Start at {@link io.holdfast.cell.session.SessionTable}. Deadlines are not here: they are the leader's soft state.
 * Must not import: {@code node}, {@code lock}, the root package.
 */
@NullMarked
package io.holdfast.cell.session;

import org.jspecify.annotations.NullMarked;
