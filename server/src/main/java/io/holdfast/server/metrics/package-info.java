/**
 * What is measured, and how it is read.
 *
 * <p>Start at {@link io.holdfast.server.metrics.ProcessMetrics}. The names are listed in {@code docs/metrics.md}. Must not
 * import: HTTP, configuration.
 */
@NullMarked
package io.holdfast.server.metrics;

import org.jspecify.annotations.NullMarked;
