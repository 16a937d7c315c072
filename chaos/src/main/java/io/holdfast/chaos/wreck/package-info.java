/**
 * The program {@code chaos/wreck}: a cell of five loses two, three or all of its processes, over and over, under load (N2, N6,
 * C08).
 *
 * <p>Start at {@link io.holdfast.chaos.wreck.WreckShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.wreck;

import org.jspecify.annotations.NullMarked;
