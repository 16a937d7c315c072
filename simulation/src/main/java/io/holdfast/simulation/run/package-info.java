/**
 * Runs of the simulation: what one seed draws, which faults it meets, and how it is judged.
 *
 * <p>Start at {@link io.holdfast.simulation.run.SeedRun}; {@link io.holdfast.simulation.run.Simulate} runs many of them from
 * the command line.
 *
 * <p>Must not import: anything that a run's outcome could depend on beside its seed.
 */
@NullMarked
package io.holdfast.simulation.run;

import org.jspecify.annotations.NullMarked;
