package io.holdfast.simulation.world;

/**
 * The clocks of one process: a monotonic one with its own rate and start, and a wall clock that may jump.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>The monotonic clock never goes back; its rate stays within {@code [1/√(1+ρ), √(1+ρ)]}, so that the ratio of any two
 *       is at most 1+ρ (R1.1).
 *   <li>While the machine is suspended the monotonic clock stands still and the wall clock runs (R1.3).
 * </ol>
 */
public final class ProcessClock {
    /** 2026-01-01, so that wall stamps look like some. */
    private static final long WALL_START_MILLIS = 1_767_225_600_000L;

    private static final long BOOT_RESOLUTION_MILLIS = 10;

    private final double slowest;
    private final double fastest;
    private final long localStart;
    private double rate;
    private long trueBase;
    private long localBase;
    private boolean suspended;
    private long wallJumpMillis;
    private long sleptNanos;

    /** @param rho how much faster any clock may run than any other */
    public ProcessClock(Rng rng, double rho, long trueNow) {
        this.fastest = Math.sqrt(1 + rho);
        this.slowest = 1 / fastest;
        this.trueBase = trueNow;
        this.localBase = rng.below(1L << 50);
        this.localStart = localBase;
        this.rate = drawRate(rng);
    }

    private double drawRate(Rng rng) {
        // the extremes are what breaks things
        return switch (rng.below(4)) {
            case 0 -> slowest;
            case 1 -> fastest;
            default -> slowest + (fastest - slowest) * rng.unit();
        };
    }

    /** From now on the clock runs at another rate. */
    public void changeRate(Rng rng, long trueNow) {
        rebase(trueNow);
        rate = drawRate(rng);
    }

    /** The monotonic clock at a true time that is not before the last change. */
    public long localNanos(long trueNow) {
        return suspended ? localBase : localBase + (long) ((trueNow - trueBase) * rate);
    }

    /** The first true time at which the monotonic clock shows at least {@code local}. */
    public long trueNanos(long local) {
        if (local <= localBase) {
            return trueBase;
        }
        if (local - localBase >= Long.MAX_VALUE / 4) {
            return Long.MAX_VALUE / 4;
        }
        long at = trueBase + (long) Math.ceil((local - localBase) / rate);
        while (localNanos(at) < local && !suspended) {
            at++;
        }
        return at;
    }

    /** The wall clock, in milliseconds since 1970. It runs at the monotonic clock's rate: a machine has one oscillator. */
    public long wallMillis(long trueNow) {
        return WALL_START_MILLIS + countingSleep(trueNow) / World.MILLI + wallJumpMillis;
    }

    /** Milliseconds since some start, sleep included, as coarse as Linux tells them. */
    public long bootMillis(long trueNow) {
        long millis = countingSleep(trueNow) / World.MILLI;
        return millis - millis % BOOT_RESOLUTION_MILLIS;
    }

    private long countingSleep(long trueNow) {
        return localNanos(trueNow) - localStart + sleptNanos(trueNow);
    }

    private long sleptNanos(long trueNow) {
        return suspended ? sleptNanos + (trueNow - trueBase) : sleptNanos;
    }

    /** Moves the wall clock by some milliseconds, for good. */
    public void jumpWall(long millis) {
        wallJumpMillis += millis;
    }

    /** The machine sleeps: the monotonic clock stands still. */
    public void suspend(long trueNow) {
        rebase(trueNow);
        suspended = true;
    }

    public void wake(long trueNow) {
        rebase(trueNow);
        suspended = false;
    }

    public boolean isSuspended() {
        return suspended;
    }

    private void rebase(long trueNow) {
        sleptNanos = sleptNanos(trueNow);
        localBase = localNanos(trueNow);
        trueBase = trueNow;
    }
}
