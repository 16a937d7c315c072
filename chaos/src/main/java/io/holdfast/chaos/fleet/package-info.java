/**
 * The program {@code chaos/fleet}: a thousand live sessions hold a lock each while the leader is killed over and over; nothing may
 * change (N2, N6, R2.7).
 *
 * <p>Start at {@link io.holdfast.chaos.fleet.FleetShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.fleet;

import org.jspecify.annotations.NullMarked;
