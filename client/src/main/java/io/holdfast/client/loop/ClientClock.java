package io.holdfast.client.loop;

/**
 * The clocks that a client reads.
 *
 * <p><b>Thread:</b> any.
 */
public interface ClientClock {
    /** What {@link #bootMillis} says if there is no such clock. */
    long NO_BOOT_CLOCK = Long.MIN_VALUE;

    /** Monotonic nanoseconds, from a start near zero; may stand still while the machine sleeps. */
    long nanos();

    /** The time of day. Its only use is to notice that the monotonic clock stood still (R1.3). */
    long wallMillis();

    /**
     * Milliseconds of a clock that nobody can set and that goes on while the machine sleeps, never ahead of the truth and at
     * most {@link SleepAwareClock#BOOT_RESOLUTION_MILLIS} behind it; {@link #NO_BOOT_CLOCK} if the machine has none. Read less
     * often than the others: it may cost a system call.
     */
    default long bootMillis() {
        return NO_BOOT_CLOCK;
    }

    /** The machine's clocks. */
    static ClientClock system() {
        return new SystemClock();
    }
}
