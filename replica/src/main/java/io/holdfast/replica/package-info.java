/**
 * Drives consensus and state machine of every cell of a process over time, disk and network.
 *
 * <p>Start at {@link io.holdfast.replica.ReplicaLoop}: one thread, one mailbox of {@link io.holdfast.replica.LoopInput},
 * any number of cells. The simulation runs this very class. What it needs from outside are the seams {@link
 * io.holdfast.replica.PeerTransport}, {@link io.holdfast.replica.UpstreamSink}, {@link io.holdfast.replica.Worker}, {@link
 * io.holdfast.replica.ReplicaListener} and, from storage, the log and snapshot stores.
 *
 * <p>Must not import: gRPC and generated types (they stay in {@code io.holdfast.replica.grpc}), the client, the server.
 */
@NullMarked
package io.holdfast.replica;

import org.jspecify.annotations.NullMarked;
