/**
 * How long a directory's disk takes to make bytes durable.
 *
 * <p>Start at {@link io.holdfast.bench.disk.DiskProbe}. Must not import: anything of Holdfast.
 */
@NullMarked
package io.holdfast.bench.disk;

import org.jspecify.annotations.NullMarked;
