package io.holdfast.cell.leader;

/**
 * Notices that this process stood still, by how late its tick came (R1.3). Extending deadlines for a gap that was none does
 * no harm; not extending them for one that was could expire healthy sessions.
 *
 * <p><b>Thread:</b> any; immutable.
 */
public final class PauseDetector {
    /** Lateness up to here is what a busy machine does, and much less than the margin of any lease. */
    public static final long DEFAULT_TOLERATED_NANOS = 250_000_000L;

    private final long toleratedNanos;

    public PauseDetector() {
        this(DEFAULT_TOLERATED_NANOS);
    }

    public PauseDetector(long toleratedNanos) {
        this.toleratedNanos = toleratedNanos;
    }

    /** By how much this tick came later than planned, 0 if that is normal. */
    public long tick(long plannedNanos, long nowNanos) {
        long lateNanos = nowNanos - plannedNanos;
        return lateNanos > toleratedNanos ? lateNanos : 0;
    }
}
