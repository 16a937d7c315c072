/**
 * The client process: it works with locks and values and writes down all that it saw.
 *
 * <p>Start at {@link io.holdfast.chaos.load.LoadMain}. Must not import: faults, checks, replicas.
 */
@NullMarked
package io.holdfast.chaos.load;

import org.jspecify.annotations.NullMarked;
