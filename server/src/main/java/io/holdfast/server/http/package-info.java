/**
 * The HTTP port: health, metrics and introspection; the gateway comes here.
 *
 * <p>Start at {@link io.holdfast.server.http.HttpEndpoint}. Must not import: replicas; it asks the cell as any client does.
 */
@NullMarked
package io.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
