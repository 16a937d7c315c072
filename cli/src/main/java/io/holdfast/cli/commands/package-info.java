/**
 * The short commands: one question or change each.
 *
 * <p>Start at {@link io.holdfast.cli.commands.GetCommand}. Must not import: the servers.
 */
@NullMarked
package io.holdfast.cli.commands;

import org.jspecify.annotations.NullMarked;
