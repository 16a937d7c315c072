/**
 * The processes of the simulated world: replicas (loop and front end) and clients, with their clocks, pauses and deaths.
 *
 * <p>Start at {@link io.holdfast.simulation.process.SimProcess}. Each runs the service's own classes; what is simulated is
 * only what lies below the seams.
 *
 * <p>Must not import: real clocks, threads, sockets, files.
 */
@NullMarked
package io.holdfast.simulation.process;

import org.jspecify.annotations.NullMarked;
