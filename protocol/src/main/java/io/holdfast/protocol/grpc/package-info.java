/**
 * What every gRPC adapter of the service shares: threads, builders, bounded sending, and reading that survives garbage.
 *
 * <p>Start at {@link io.holdfast.protocol.grpc.WireThreads}; then {@link io.holdfast.protocol.grpc.Outbound}.
 *
 * <p>Must not import: anything of Holdfast but the model, the frames and the codecs.
 */
@NullMarked
package io.holdfast.protocol.grpc;

import org.jspecify.annotations.NullMarked;
