/**
 * Running a command as a process group of its own that never outlives its wrapper's lock.
 *
 * <p>Start at {@link io.holdfast.cli.process.ChildGroup}; ADR 0005 says why there is a watchdog beside the child.
 *
 * <p>Must not import: the client; it knows nothing of locks.
 */
@NullMarked
package io.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
