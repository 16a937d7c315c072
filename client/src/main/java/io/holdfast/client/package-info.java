/**
 * The client library: sessions, locks with fencing tokens, the recipes that are made of them, configuration values, and what an operator
 * asks of a cell.
 *
 * <p>Start at {@link io.holdfast.client.HoldfastClient}. Blocking calls may be made from any thread and from any callback;
 * each has a {@code CompletableFuture} twin.
 *
 * <p>Recipes (ADR 0012): {@link io.holdfast.client.MultiLockRecipe}, {@link io.holdfast.client.SemaphoreRecipe}, {@link
 * io.holdfast.client.Election}, {@link io.holdfast.client.Group}, {@link io.holdfast.client.DoubleBarrier}, and {@link
 * io.holdfast.client.LockView} for the JDK's interface. Each takes places by {@link io.holdfast.client.PlaceTaker}.
 *
 * <p>Must not import: generated protobuf types.
 */
@NullMarked
package io.holdfast.client;

import org.jspecify.annotations.NullMarked;
