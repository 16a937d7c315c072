package io.holdfast.client.loop;

/**
 * Notices that the wall clock gained on the monotonic one: the machine may have been suspended (R1.3). Only ever lowers trust.
 *
 * <p><b>Thread:</b> {@link #hasJumped} any; the rest the loop's.
 */
public final class WallClockGuard {
    /** A gain of more than this suspends trust (R1.3). */
    static final long MAX_GAIN_NANOS = 1_000_000_000L;
    /** So that a wall clock that is being slewed never adds up to a jump. */
    private static final long REBASE_NANOS = 10_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final ClientClock clock;
    /** Wall minus monotonic time at the last look; writer: loop. */
    private volatile long baseNanos;

    private long basedAtNanos;

    public WallClockGuard(ClientClock clock) {
        this.clock = clock;
        rebase();
    }

    /** Whether it gained more than a second since the last look. */
    public boolean hasJumped() {
        return offset() - baseNanos > MAX_GAIN_NANOS; // R1.3
    }

    private long offset() {
        return clock.wallMillis() * NANOS_PER_MILLI - clock.nanos();
    }

    /** Accepts the present difference. After a jump: only once trust is suspended. */
    void rebase() {
        basedAtNanos = clock.nanos();
        baseNanos = offset();
    }

    /** A look without a jump: follows a wall clock that goes back or is slewed. */
    void follow() {
        if (offset() < baseNanos || clock.nanos() - basedAtNanos > REBASE_NANOS) {
            rebase();
        }
    }
}
