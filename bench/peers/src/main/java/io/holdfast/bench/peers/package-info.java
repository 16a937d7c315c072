/**
 * The peers' client libraries behind the benchmarks' driver interface, each used as its own documentation says.
 *
 * <p>Start at {@link io.holdfast.bench.peers.CuratorService}. Must not import: Holdfast's client.
 */
@NullMarked
package io.holdfast.bench.peers;

import org.jspecify.annotations.NullMarked;
