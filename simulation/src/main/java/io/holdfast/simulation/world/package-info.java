/**
 * Virtual time: one seeded random source, one queue of events in one order, one hash over everything that happened.
 *
 * <p>Start at {@link io.holdfast.simulation.world.World}. Two runs of one seed do the same steps in the same order; {@link
 * io.holdfast.simulation.world.World#traceHash()} shows it.
 *
 * <p>Must not import: the service's own code; this package knows nothing of replicas or locks.
 */
@NullMarked
package io.holdfast.simulation.world;

import org.jspecify.annotations.NullMarked;
