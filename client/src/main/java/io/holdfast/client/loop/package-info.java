/**
 * Drives a client's session machine over real time and a transport: one mailbox, on the transport's thread (ADR 0006).
 *
 * <p>Start at {@link io.holdfast.client.loop.ClientLoop}.
 *
 * <p>Must not import: gRPC, generated protobuf types, the public API.
 */
@NullMarked
package io.holdfast.client.loop;

import org.jspecify.annotations.NullMarked;
