/**
 * What client, front end and leader say to each other, as plain records.
 *
 * <p>Start at {@link io.holdfast.protocol.frame.ClientFrame} and {@link io.holdfast.protocol.frame.ServerFrame}: both travel
 * on one ordered stream per client. Front end and leader exchange the same frames, tagged with the client stream they
 * belong to ({@link io.holdfast.protocol.frame.UpstreamFrame}, {@link io.holdfast.protocol.frame.DownstreamFrame}).
 *
 * <p>Must not import: generated protobuf types; those stop at {@code io.holdfast.protocol.codec}.
 */
@NullMarked
package io.holdfast.protocol.frame;

import org.jspecify.annotations.NullMarked;
