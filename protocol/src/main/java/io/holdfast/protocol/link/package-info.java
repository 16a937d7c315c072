/**
 * How a front end reaches the leader, whatever lies between them.
 *
 * <p>Start at {@link io.holdfast.protocol.link.UpstreamDialer}. The replica offers one within the process, the proxy one
 * over gRPC, and a test or simulation brings its own.
 *
 * <p>Must not import: gRPC, generated types.
 */
@NullMarked
package io.holdfast.protocol.link;

import org.jspecify.annotations.NullMarked;
