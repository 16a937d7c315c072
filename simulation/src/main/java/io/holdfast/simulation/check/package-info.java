/**
 * What must be true after every event, and of every recorded history.
 *
 * <p>Start at {@link io.holdfast.simulation.check.Checks}, which is told what the world saw. Every check is written against
 * the promises (F…, R…), not against the code: none of them asks the service whether it did right.
 *
 * <p>Must not import: the network, the disk, the processes; it is told.
 */
@NullMarked
package io.holdfast.simulation.check;

import org.jspecify.annotations.NullMarked;
