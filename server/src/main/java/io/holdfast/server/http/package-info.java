/**
 * The HTTP port: health, metrics, and the gateway to a cell. A class of routes for each subject; how requests come and replies go is in
 * {@code wire}, and whom leased locks are asked of in {@code leases}.
 *
 * <p>Start at {@link io.holdfast.server.http.HttpEndpoint}. Must not import: replicas; it asks the cell as any client does.
 */
@NullMarked
package io.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
