/**
 * Between the records of {@link io.holdfast.protocol.frame} and the generated messages of {@code
 * io.holdfast.protocol.proto}.
 *
 * <p>Start at {@link io.holdfast.protocol.codec.ClientCodec}, then {@link io.holdfast.protocol.codec.UpstreamCodec}.
 * Encoding never fails. Decoding takes any message whatsoever and either returns a frame that keeps every limit of {@link
 * io.holdfast.model.Limits}, or throws {@link io.holdfast.protocol.codec.MalformedFrameException} naming the field.
 *
 * <p>Must not import: gRPC, the cell, the replica.
 */
@NullMarked
package io.holdfast.protocol.codec;

import org.jspecify.annotations.NullMarked;
