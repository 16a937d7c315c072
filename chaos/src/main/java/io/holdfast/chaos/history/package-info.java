/**
 * What a client process saw, as lines in a file that outlive a kill.
 *
 * <p>Start at {@link io.holdfast.chaos.history.History}. Must not import: other packages.
 */
@NullMarked
package io.holdfast.chaos.history;

import org.jspecify.annotations.NullMarked;
