/**
 * {@code holdfast lock}: take a lock, run a command under it, and see to it that the command is gone before another can
 * hold.
 *
 * <p>Start at {@link io.holdfast.cli.lock.LockCommand}; {@link io.holdfast.cli.lock.GuardedRun} watches lease, child and
 * signals, {@link io.holdfast.cli.lock.LossPolicy} decides.
 *
 * <p>Must not import: the server.
 */
@NullMarked
package io.holdfast.cli.lock;

import org.jspecify.annotations.NullMarked;
