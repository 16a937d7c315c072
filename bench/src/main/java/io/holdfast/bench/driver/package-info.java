/**
 * What a lock service looks like to the load: one interface for Holdfast and its peers.
 *
 * <p>Start at {@link io.holdfast.bench.driver.LockService}. Must not import: servers, the run.
 */
@NullMarked
package io.holdfast.bench.driver;

import org.jspecify.annotations.NullMarked;
