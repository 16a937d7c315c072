package io.holdfast.simulation.check;

/**
 * One operation on one key, as its caller saw it.
 *
 * @param invokedNanos true time of the call
 * @param returnedNanos true time of the answer, {@link #NEVER} if the fate is unknown
 * @param value what is written, or what was read
 * @param result version that was written or read, or one of the constants
 */
public record RegisterOp(
        Kind kind, long invokedNanos, long returnedNanos, long expectedVersion, long value, long result) {
    public static final long NEVER = Long.MAX_VALUE;
    /** Read: there is no value. */
    public static final long ABSENT = -10;
    /** Write: refused because the version, or the absence, was not as expected. */
    public static final long MISMATCH = -11;
    /** Delete: done. */
    public static final long DELETED = -12;

    /** What it does. */
    public enum Kind {
        PUT,
        DELETE,
        GET
    }

    public boolean isUnknown() {
        return returnedNanos == NEVER;
    }
}
