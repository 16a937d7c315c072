/**
 * The program {@code chaos/contenders}: thousands wait for one election; each hand-over wakes one, and all lead once (N9, F1, F3).
 *
 * <p>Start at {@link io.holdfast.chaos.contenders.ContendersShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.contenders;

import org.jspecify.annotations.NullMarked;
