/**
 * The load JVM: workloads that drive one lock service and answer with figures, one line each.
 *
 * <p>Start at {@link io.holdfast.bench.load.LoadMain}. Must not import: servers, the run; only the driver named at its start.
 */
@NullMarked
package io.holdfast.bench.load;

import org.jspecify.annotations.NullMarked;
