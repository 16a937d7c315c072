/**
 * Shows that the checks bite: one rule after the other is broken in the real sources, and seeds must find it.
 *
 * <p>Start at {@link io.holdfast.simulation.mutation.Mutants}, the table; {@link
 * io.holdfast.simulation.mutation.MutationRun} compiles and runs one. Production code knows nothing of this.
 *
 * <p>Must not import: anything of the service; mutants are text.
 */
@NullMarked
package io.holdfast.simulation.mutation;

import org.jspecify.annotations.NullMarked;
