/**
 * What the programs beside {@code chaos/run} share: their arguments, a cell of real processes, and the verdict. Each of them
 * shows one claim of the project on real processes, with counts and an exit status.
 *
 * <p>Start at {@link io.holdfast.chaos.show.ShowCell}. Must not import: the programs themselves, {@code run}.
 */
@NullMarked
package io.holdfast.chaos.show;

import org.jspecify.annotations.NullMarked;
