/**
 * The parts of a server: a replica over its disk and peers, the port for clients, how they fail.
 *
 * <p>Start at {@link io.holdfast.server.parts.RunningReplica}.
 *
 * <p>Must not import: the servers that are made of them.
 */
@NullMarked
package io.holdfast.server.parts;

import org.jspecify.annotations.NullMarked;
