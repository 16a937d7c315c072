/**
 * The front end on real threads and sockets.
 *
 * <p>Start at {@link io.holdfast.proxy.grpc.FrontEndLoop}, which runs a {@link io.holdfast.proxy.core.FrontEnd} on a thread
 * of its own. {@link io.holdfast.proxy.grpc.ClientService} brings it clients, {@link io.holdfast.proxy.grpc.GrpcUpstream}
 * takes it to the leader, {@link io.holdfast.proxy.grpc.UpstreamRouter} chooses between that and the replica in the same
 * process. To serve: {@code threads.server(address).addService(new ClientService(loop, threads).service()).build()}.
 *
 * <p>Must not import: the replica, the server.
 */
@NullMarked
package io.holdfast.proxy.grpc;

import org.jspecify.annotations.NullMarked;
