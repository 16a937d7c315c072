/**
 * What every command needs: global options, exit statuses, output in text and JSON, durations.
 *
 * <p>Start at {@link io.holdfast.cli.support.GlobalOptions} and {@link io.holdfast.cli.support.CliException}.
 *
 * <p>Must not import: the commands.
 */
@NullMarked
package io.holdfast.cli.support;

import org.jspecify.annotations.NullMarked;
