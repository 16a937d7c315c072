package io.holdfast.simulation.check;

import io.holdfast.model.Outcome;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the state knows of one session (R2.7, R3.1). */
final class SessionModel {
    final long id;
    private final byte[] secret;
    long watermark;
    final Map<Long, Outcome> results = new TreeMap<>();
    final TreeSet<Long> cancelled = new TreeSet<>();
    final TreeSet<String> ephemerals = new TreeSet<>();

    SessionModel(long id, byte[] secret) {
        this.id = id;
        this.secret = secret.clone();
    }

    boolean hasSecret(byte[] other) {
        return Arrays.equals(secret, other);
    }

    /** Forgets what the client has seen answered. */
    void raiseWatermark(long seen) {
        if (seen > watermark) {
            watermark = seen;
            results.keySet().removeIf(id -> id <= seen);
            cancelled.removeIf(id -> id <= seen);
        }
    }
}
