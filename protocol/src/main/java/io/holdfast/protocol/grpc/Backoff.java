package io.holdfast.protocol.grpc;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before dialling again: doubles from 50 ms to 1 s; each wait is drawn from the upper half, so that many
 * do not come back together.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class Backoff {
    public static final long MIN_MILLIS = 50;
    public static final long MAX_MILLIS = 1_000;

    private long ceilingMillis = MIN_MILLIS;

    /** The next delay. */
    public long nextDelayMillis() {
        long ceiling = ceilingMillis;
        ceilingMillis = Math.min(MAX_MILLIS, ceiling * 2);
        return ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1);
    }

    /** A connection stood: begin with the shortest delay again. */
    public void reset() {
        ceilingMillis = MIN_MILLIS;
    }
}
