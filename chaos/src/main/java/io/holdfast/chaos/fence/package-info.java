/**
 * The resource behind the locks: keeps the highest token and refuses lower ones (oracle O1).
 *
 * <p>Start at {@link io.holdfast.chaos.fence.FenceServer}. Must not import: the client library.
 */
@NullMarked
package io.holdfast.chaos.fence;

import org.jspecify.annotations.NullMarked;
