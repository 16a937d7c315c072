/**
 * The replica's gRPC adapters: frames between replicas, and links from front ends.
 *
 * <p>Start at {@link io.holdfast.replica.grpc.GrpcPeerTransport} and {@link io.holdfast.replica.grpc.UpstreamLinks}; both
 * need the loop's mailbox, given with {@code start}. {@link io.holdfast.replica.grpc.UpstreamService} serves links from
 * other processes, {@link io.holdfast.replica.grpc.LocalUpstream} those of this one.
 *
 * <p>Must not import: the client, the proxy, the server.
 */
@NullMarked
package io.holdfast.replica.grpc;

import org.jspecify.annotations.NullMarked;
