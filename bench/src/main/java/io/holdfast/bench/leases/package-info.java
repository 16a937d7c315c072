/**
 * The load JVM of {@code bench/leases}: leased locks over HTTP, with nothing of Holdfast's but the wire.
 *
 * <p>Start at {@link io.holdfast.bench.leases.LeaseMain}. Must not import: servers, the run, Holdfast's client.
 */
@NullMarked
package io.holdfast.bench.leases;

import org.jspecify.annotations.NullMarked;
