/**
 * A run from the first process to the verdict.
 *
 * <p>Start at {@link io.holdfast.chaos.run.ChaosMain}. Must not import: nothing is forbidden; nobody imports it.
 */
@NullMarked
package io.holdfast.chaos.run;

import org.jspecify.annotations.NullMarked;
