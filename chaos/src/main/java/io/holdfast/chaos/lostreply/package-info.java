/**
 * The program {@code chaos/lostreply}: a relay cuts the connection at every byte of the requests and replies of an operation; each must
 * be applied once, and its caller must hear so (R2.7).
 *
 * <p>Start at {@link io.holdfast.chaos.lostreply.LostReplyShow}. Must not import: {@code run}, faults.
 */
@NullMarked
package io.holdfast.chaos.lostreply;

import org.jspecify.annotations.NullMarked;
