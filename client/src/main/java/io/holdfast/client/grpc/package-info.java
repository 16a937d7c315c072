/**
 * Streams to a cell over gRPC and Netty.
 *
 * <p>Start at {@link io.holdfast.client.grpc.GrpcTransport}. The only place of the client that knows gRPC and generated types.
 *
 * <p>Must not import: the session machine, the public API.
 */
@NullMarked
package io.holdfast.client.grpc;

import org.jspecify.annotations.NullMarked;
