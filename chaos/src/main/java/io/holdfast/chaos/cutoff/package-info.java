/**
 * The program {@code chaos/cutoff}: clients that hold locks are cut off from their cell, or all of the cell stops, for chosen times;
 * what each session believed is judged by the rules of R3.4.
 *
 * <p>Start at {@link io.holdfast.chaos.cutoff.CutoffShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.cutoff;

import org.jspecify.annotations.NullMarked;
