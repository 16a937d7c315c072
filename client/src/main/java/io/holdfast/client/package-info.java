/**
 * The client library: sessions, locks with fencing tokens, configuration values, and what an operator asks of a cell.
 *
 * <p>Start at {@link io.holdfast.client.HoldfastClient}. Blocking calls may be made from any thread and from any callback;
 * each has a {@code CompletableFuture} twin.
 *
 * <p>Must not import: generated protobuf types.
 */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
