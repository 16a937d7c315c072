/**
 * Server processes of Holdfast and its peers: started, found, killed and ended by pid.
 *
 * <p>Start at {@link io.holdfast.bench.server.Cluster}. Must not import: any client library.
 */
@NullMarked
package io.holdfast.bench.server;

import org.jspecify.annotations.NullMarked;
