/**
 * The seam between the client and the network: streams of frames to an endpoint, real or simulated.
 *
 * <p>Start at {@link io.holdfast.client.transport.ClientTransport}.
 *
 * <p>Must not import: gRPC, generated protobuf types.
 */
@NullMarked
package io.holdfast.client.transport;

import org.jspecify.annotations.NullMarked;
