package io.holdfast.client.loop;

/**
 * The monotonic clock, corrected for the time in which it stood still because the machine slept (R1.3).
 *
 * <p>Two witnesses go on during a sleep: the wall clock, which may be set, and the boot clock, which not every machine has. What
 * either gains on the monotonic clock counts as time that has passed, so that a lease ends in time though the machine slept, for
 * however short a time and however often. A gain within the resolution of a reading is forgotten, not summed: a wall clock that
 * is slewed must not add up to a sleep, and no machine sleeps and wakes within a millisecond. A gain of more than a second is a jump: the wall clock may just have been set, so it does not count as
 * time, but trust is suspended until the cell confirms. Either only ever lowers trust.
 *
 * <p><b>Thread:</b> {@link #nanos} and {@link #hasJumped} any; the rest the loop's.
 *
 * <p><b>Invariants:</b> 1. {@link #nanos} never falls, for any thread. 2. A gain is either counted, or smaller than what a
 * reading can be wrong by, or a jump, and a jump stays one until it is accepted. 3. A wall clock that is set back hides as much
 * sleep as it is set back by, but only from a machine without a boot clock, and only if nobody looked in between.
 *
 * <p><b>Source:</b> R1.3.
 */
public final class SleepAwareClock {
    /** A gain of more than this suspends trust (R1.3). */
    static final long MAX_GAIN_NANOS = 1_000_000_000L;

    /** How far a boot clock may be behind the truth. */
    public static final long BOOT_RESOLUTION_MILLIS = 10;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long WALL_RESOLUTION_NANOS = NANOS_PER_MILLI;
    private static final long BOOT_RESOLUTION_NANOS = BOOT_RESOLUTION_MILLIS * NANOS_PER_MILLI;
    /** Readings that took longer between them are taken again, a few times. */
    private static final long MAX_READING_NANOS = NANOS_PER_MILLI;

    private static final int MAX_READINGS = 4;
    /** The loop reads the boot clock this often, though the wall clock tells of nothing. */
    private static final long BOOT_READ_NANOS = 250_000_000L;

    private static final long NONE = Long.MIN_VALUE;

    private final ClientClock clock;
    /** When the loop last read the boot clock without need. */
    private long bootReadNanos;
    /** Replaced as a whole, under this object's lock. */
    private volatile Base base;

    /**
     * What is accounted for.
     *
     * @param wallNanos highest lower bound of wall minus monotonic time since the wall clock was last set back
     * @param bootNanos the same of the boot clock; NONE if there is none
     * @param sleptNanos what counted as sleep so far
     */
    private record Base(long wallNanos, long bootNanos, long sleptNanos) {}

    /**
     * One look at the clocks.
     *
     * @param nanos the monotonic clock, read last
     * @param wallNanos wall minus monotonic time, at least
     * @param wallMostNanos the same, at most
     * @param bootNanos boot minus monotonic time, at least; NONE if it was not read or there is none
     */
    record Look(long nanos, long wallNanos, long wallMostNanos, long bootNanos) {}

    public SleepAwareClock(ClientClock clock) {
        this.clock = clock;
        Look first = look();
        this.base = new Base(first.wallNanos(), first.bootNanos(), 0);
    }

    /** Nanoseconds from a start near zero, sleep included unless it was a jump. All decisions use these (R1.1, R1.3). */
    public long nanos() {
        while (true) {
            Base present = base;
            Look seen = lookAtWall();
            if (!isUsual(present, seen)) {
                seen = look();
            }
            Base next = isJump(present, seen) ? present : counted(present, seen);
            if (next == present || replace(present, next)) {
                return seen.nanos() + next.sleptNanos();
            }
        }
    }

    /**
     * Whether a witness gained more than a second since the last look. Ask this before the trust: the loop accepts a jump only
     * after it has suspended trust, so that one of the two always tells of it.
     */
    public boolean hasJumped() {
        Base present = base;
        Look seen = lookAtWall();
        return !isUsual(present, seen) && isJump(present, look()); // R1.3
    }

    /**
     * Looks at all clocks; the loop does so before anything else of a turn.
     *
     * @param suspendTrust run if there was a jump, before it is accepted, so that no thread trusts in between
     */
    public void observe(Runnable suspendTrust) {
        Look seen = lookAtWall();
        if (!isUsual(base, seen) || seen.nanos() - bootReadNanos >= BOOT_READ_NANOS) {
            seen = look();
            bootReadNanos = seen.nanos();
        }
        if (isJump(seen)) {
            suspendTrust.run();
            accept(seen);
        } else {
            count(seen);
        }
    }

    /** All clocks now, to be judged and then accepted as one: the machine may be suspended between two reads. */
    Look look() {
        Look wall = lookAtWall();
        return new Look(wall.nanos(), wall.wallNanos(), wall.wallMostNanos(), readBoot());
    }

    boolean isJump(Look seen) {
        return isJump(base, seen);
    }

    /** Goes on from a look that was a jump; only once trust is suspended. */
    synchronized void accept(Look seen) {
        long boot = seen.bootNanos() == NONE ? base.bootNanos() : seen.bootNanos();
        base = new Base(seen.wallNanos(), boot, base.sleptNanos());
    }

    /** Counts what a look saw that was no jump. */
    synchronized void count(Look seen) {
        if (!isJump(base, seen)) {
            base = counted(base, seen);
        }
    }

    private synchronized boolean replace(Base present, Base next) {
        if (base != present) {
            return false;
        }
        base = next;
        return true;
    }

    private Look lookAtWall() {
        long nanos = 0;
        long offset = 0;
        long most = 0;
        for (int i = 0; i < MAX_READINGS; i++) {
            long before = clock.nanos();
            long wall = clock.wallMillis() * NANOS_PER_MILLI;
            nanos = clock.nanos();
            offset = wall - nanos;
            most = wall + WALL_RESOLUTION_NANOS - before;
            if (nanos - before <= MAX_READING_NANOS) {
                break;
            }
        }
        return new Look(nanos, offset, most, NONE);
    }

    private long readBoot() {
        long offset = NONE;
        for (int i = 0; i < MAX_READINGS; i++) {
            long before = clock.nanos();
            long boot = clock.bootMillis();
            if (boot == ClientClock.NO_BOOT_CLOCK) {
                return NONE;
            }
            long after = clock.nanos();
            offset = Math.max(offset, boot * NANOS_PER_MILLI - after);
            if (after - before <= MAX_READING_NANOS) {
                break;
            }
        }
        return offset;
    }

    /** Whether the wall clock went as the monotonic one did, as far as a reading can tell; then there was no sleep. */
    private static boolean isUsual(Base base, Look seen) {
        return seen.wallNanos() - base.wallNanos() <= WALL_RESOLUTION_NANOS && !isSetBack(base, seen);
    }

    private static boolean isSetBack(Base base, Look seen) {
        return base.wallNanos() - seen.wallMostNanos() > WALL_RESOLUTION_NANOS;
    }

    private static boolean isJump(Base base, Look seen) {
        return seen.wallNanos() - base.wallNanos() > MAX_GAIN_NANOS || bootGain(base, seen) > MAX_GAIN_NANOS;
    }

    private static long bootGain(Base base, Look seen) {
        return base.bootNanos() == NONE || seen.bootNanos() == NONE ? 0 : seen.bootNanos() - base.bootNanos();
    }

    private static Base counted(Base base, Look seen) {
        long slept = Math.max(
                certain(seen.wallNanos() - base.wallNanos(), WALL_RESOLUTION_NANOS),
                certain(bootGain(base, seen), BOOT_RESOLUTION_NANOS));
        long wall = isSetBack(base, seen) ? seen.wallNanos() : Math.max(base.wallNanos(), seen.wallNanos());
        long boot = Math.max(base.bootNanos(), seen.bootNanos());
        boolean same = slept == 0 && wall == base.wallNanos() && boot == base.bootNanos();
        return same ? base : new Base(wall, boot, base.sleptNanos() + slept);
    }

    /** What a gain counts for: nothing if the resolution explains it, else all that it may be. */
    private static long certain(long gain, long resolution) {
        return gain <= resolution ? 0 : gain + resolution;
    }
}
