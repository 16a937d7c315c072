/**
 * Addresses and what of them stands in configuration files, network namespaces with their packet filters and
 * cables, and the TCP relay.
 *
 * <p>Start at {@link io.holdfast.chaos.net.Topology}. Must not import: other packages than proc.
 */
@NullMarked
package io.holdfast.chaos.net;

import org.jspecify.annotations.NullMarked;
