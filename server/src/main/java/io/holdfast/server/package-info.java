/**
 * Servers, put together from their parts.
 *
 * <p>Start at {@link io.holdfast.server.ReplicaServer}, one replica in a process, and {@link io.holdfast.server.DevCell},
 * a whole cell in one. The parts lie in {@code io.holdfast.server.parts}.
 *
 * <p>Must not import: the command line.
 */
@NullMarked
package io.holdfast.server;

import org.jspecify.annotations.NullMarked;
