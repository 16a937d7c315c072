/**
 * What an operator can set, and where it was set.
 *
 * <p>Start at {@link io.holdfast.server.config.ReplicaConfig}; {@link io.holdfast.server.config.ConfigKey} lists every key
 * once, for the file, the environment and the command line alike.
 *
 * <p>Must not import: the parts that are configured, sockets, threads.
 */
@NullMarked
package io.holdfast.server.config;

import org.jspecify.annotations.NullMarked;
