/**
 * What must be true of the histories. None of the checks asks the service whether it did right.
 *
 * <p>Start at {@link io.holdfast.chaos.check.Finding}. Must not import: processes; of the faults only what was done when.
 */
@NullMarked
package io.holdfast.chaos.check;

import org.jspecify.annotations.NullMarked;
