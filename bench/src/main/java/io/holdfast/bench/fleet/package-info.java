/**
 * The load JVM of {@code bench/fleet}: many client sessions of Holdfast, a connection each, on a few threads.
 *
 * <p>Start at {@link io.holdfast.bench.fleet.FleetMain}. Must not import: servers, the run.
 */
@NullMarked
package io.holdfast.bench.fleet;

import org.jspecify.annotations.NullMarked;
