/**
 * Frames on a connection of one's own, without the client library: it gives up a connection that is silent, and so never sees
 * what a replica says that wakes after a long pause.
 *
 * <p>Start at {@link io.holdfast.chaos.grpc.RawStream}. Must not import: the rest of chaos.
 */
@NullMarked
package io.holdfast.chaos.grpc;

import org.jspecify.annotations.NullMarked;
