/**
 * Bugs planted on purpose, to see that a run finds them.
 *
 * <p>Start at {@link io.holdfast.chaos.plant.Plant}. Must not import: other packages.
 */
@NullMarked
package io.holdfast.chaos.plant;

import org.jspecify.annotations.NullMarked;
