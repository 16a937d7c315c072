/**
 * The resource side of a lock: guards that remember the highest fencing token that they accepted and refuse a lower one.
 *
 * <p>Start at {@link io.holdfast.fencing.FencingGuard}; {@link io.holdfast.fencing.Fence} is the rule itself. The forms:
 * {@link io.holdfast.fencing.MemoryGuard} here, on a file in {@code io.holdfast.fencing.file}, in a database in
 * {@code io.holdfast.fencing.jdbc}. Usable without the client: a resource needs to know tokens, not sessions.
 *
 * <p>Must not import: anything but {@code io.holdfast.model} and the JDK; this package, none of the packages below it.
 */
@NullMarked
package io.holdfast.fencing;

import org.jspecify.annotations.NullMarked;
