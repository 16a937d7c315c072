/**
 * Processes: replicas, load clients and short commands, each bounded in time.
 *
 * <p>Start at {@link io.holdfast.chaos.proc.ReplicaProcess}. Must not import: faults, checks.
 */
@NullMarked
package io.holdfast.chaos.proc;

import org.jspecify.annotations.NullMarked;
