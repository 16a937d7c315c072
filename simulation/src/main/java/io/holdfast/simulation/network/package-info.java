/**
 * The network between processes: lossy frames between replicas, ordered streams between clients, front ends and leaders.
 *
 * <p>Start at {@link io.holdfast.simulation.network.SimNetwork} (who can reach whom, how fast) and {@link
 * io.holdfast.simulation.network.Stream}.
 *
 * <p>Must not import: anything of the service but plain frames; it carries objects and looks at none.
 */
@NullMarked
package io.holdfast.simulation.network;

import org.jspecify.annotations.NullMarked;
