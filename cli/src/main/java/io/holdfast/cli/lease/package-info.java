/**
 * The commands about leased locks: {@code acquire}, {@code renew}, {@code release}, {@code inspect}.
 *
 * <p>Each is one call; nothing is renewed by itself. Start at {@link io.holdfast.cli.lease.AcquireCommand}. Must not import: other
 * packages of commands.
 */
@NullMarked
package io.holdfast.cli.lease;

import org.jspecify.annotations.NullMarked;
