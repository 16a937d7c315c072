package io.holdfast.client.session;

import io.holdfast.model.Limits;
import java.util.List;

/**
 * What a session machine needs to know.
 *
 * @param endpoints addresses to try in turn, at least one; the machine names them by index
 * @param leaseMillis session lease to ask for
 * @param graceMillis how long to go on trying after the local lease ended (R3.4)
 * @param clientName shown to operators, at most {@link Limits#MAX_NAME_BYTES} bytes
 * @param cacheBytes how much of what is read is remembered (R6); 0 for no cache
 */
public record SessionConfig(
        List<String> endpoints, long leaseMillis, long graceMillis, String clientName, long cacheBytes) {
    /** Default grace period (R3.4). */
    public static final long DEFAULT_GRACE_MILLIS = 45_000;

    public static final long MIN_GRACE_MILLIS = 0;
    public static final long MAX_GRACE_MILLIS = 3_600_000;
    /** Largest cache. */
    public static final long MAX_CACHE_BYTES = 1L << 30;

    /** Without a cache. */
    public SessionConfig(List<String> endpoints, long leaseMillis, long graceMillis, String clientName) {
        this(endpoints, leaseMillis, graceMillis, clientName, 0);
    }

    /**
     * @throws IllegalArgumentException with the allowed range if a value is out of it (C103)
     */
    public SessionConfig {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("no endpoints given");
        }
        checkRange("session lease", leaseMillis, Limits.MIN_SESSION_LEASE_MILLIS, Limits.MAX_SESSION_LEASE_MILLIS);
        checkRange("grace period", graceMillis, MIN_GRACE_MILLIS, MAX_GRACE_MILLIS);
        if (cacheBytes < 0 || cacheBytes > MAX_CACHE_BYTES) {
            throw new IllegalArgumentException(
                    "cache of " + cacheBytes + " bytes is out of range: 0 to " + MAX_CACHE_BYTES + " are allowed");
        }
    }

    private static void checkRange(String what, long millis, long min, long max) {
        if (millis < min || millis > max) {
            throw new IllegalArgumentException(
                    what + " of " + millis + " ms is out of range: " + min + " to " + max + " ms are allowed");
        }
    }
}
