/**
 * Drives a client's session machine over real time and a transport: one thread, one mailbox.
 *
 * <p>Start at {@link io.holdfast.client.loop.ClientLoop}.
 *
 * <p>Must not import: gRPC, generated protobuf types, the public API.
 */
@NullMarked
package io.holdfast.client.loop;

import org.jspecify.annotations.NullMarked;
