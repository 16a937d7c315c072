/**
 * Leased locks, as the HTTP port asks for them.
 *
 * <p>Start at {@link io.holdfast.server.http.leases.LeaseCalls}. Must not import: anything of HTTP.
 */
@NullMarked
package io.holdfast.server.http.leases;

import org.jspecify.annotations.NullMarked;
