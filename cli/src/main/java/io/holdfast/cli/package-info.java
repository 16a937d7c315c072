/**
 * The {@code holdfast} command.
 *
 * <p>Start at {@link io.holdfast.cli.Main}; each command is a class in a package below.
 *
 * <p>Must not be imported by anything: it is the outside.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
