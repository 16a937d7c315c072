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
 */
public record SessionConfig(List<String> endpoints, long leaseMillis, long graceMillis, String clientName) {
    /** Default grace period (R3.4). */
    public static final long DEFAULT_GRACE_MILLIS = 45_000;

    public static final long MIN_GRACE_MILLIS = 0;
    public static final long MAX_GRACE_MILLIS = 3_600_000;

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
    }

    private static void checkRange(String what, long millis, long min, long max) {
        if (millis < min || millis > max) {
            throw new IllegalArgumentException(
                    what + " of " + millis + " ms is out of range: " + min + " to " + max + " ms are allowed");
        }
    }
}
