/**
 * The commands that start servers.
 *
 * <p>Start at {@link io.holdfast.cli.servers.DevCommand}. Must not import: the short commands.
 */
@NullMarked
package io.holdfast.cli.servers;

import org.jspecify.annotations.NullMarked;
