package io.holdfast.client;

import io.holdfast.model.ErrorCode;
import java.time.Duration;

/** Durations of any size, without overflow (C103). */
final class Durations {
    private Durations() {}

    /** Milliseconds; out of the range of a long, the nearest. */
    static long toMillis(Duration duration) {
        try {
            return duration.toMillis();
        } catch (ArithmeticException e) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** Nanoseconds; out of the range of a long, the nearest. */
    static long toNanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** @throws RefusedException if it is negative */
    static long waitNanos(Duration wait) {
        if (wait.isNegative()) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "a wait of " + wait + " is negative; use zero to try once, or acquire() to wait on");
        }
        return toNanos(wait);
    }
}
