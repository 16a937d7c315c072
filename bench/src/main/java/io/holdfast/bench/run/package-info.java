/**
 * The benchmarks themselves: clusters and load JVMs in turn, and the tables.
 *
 * <p>Start at {@link io.holdfast.bench.run.Main}. Must not import: any client library.
 */
@NullMarked
package io.holdfast.bench.run;

import org.jspecify.annotations.NullMarked;
