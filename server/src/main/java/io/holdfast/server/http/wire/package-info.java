/**
 * Requests and replies of the HTTP port, read and written without holding a thread, with limits on everything that a client
 * sends or leaves waiting.
 *
 * <p>Start at {@link io.holdfast.server.http.wire.HttpServer}. Must not import: the client of a cell. Nothing here knows what is
 * asked.
 */
@NullMarked
package io.holdfast.server.http.wire;

import org.jspecify.annotations.NullMarked;
