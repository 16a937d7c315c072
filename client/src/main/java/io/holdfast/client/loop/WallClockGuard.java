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
        accept(offset());
    }

    /**
     * Whether it gained more than a second since the last look. Ask this before the trust: the loop accepts a jump only after
     * it has suspended trust, so that one of the two always tells of it.
     */
    public boolean hasJumped() {
        return isJump(offset()); // R1.3
    }

    private long offset() {
        return clock.wallMillis() * NANOS_PER_MILLI - clock.nanos();
    }

    /** The present difference, to be judged and then accepted as one: the machine may be suspended between two reads. */
    long look() {
        return offset();
    }

    boolean isJump(long seen) {
        return seen - baseNanos > MAX_GAIN_NANOS;
    }

    /** Accepts a difference that was a jump; only once trust is suspended. */
    void accept(long seen) {
        basedAtNanos = clock.nanos();
        baseNanos = seen;
    }

    /** A look without a jump: follows a wall clock that goes back or is slewed. */
    void follow(long seen) {
        if (seen < baseNanos || clock.nanos() - basedAtNanos > REBASE_NANOS) {
            accept(seen);
        }
    }
}
