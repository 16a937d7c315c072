/**
 * What the applications of the simulated world do.
 *
 * <p>Start at {@link io.holdfast.simulation.workload.RandomApp}.
 *
 * <p>Must not import: replicas, disks; an application sees its client library only.
 */
@NullMarked
package io.holdfast.simulation.workload;

import org.jspecify.annotations.NullMarked;
