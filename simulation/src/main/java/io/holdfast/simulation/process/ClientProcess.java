package io.holdfast.simulation.process;

import io.holdfast.client.loop.ClientClock;
import io.holdfast.client.loop.SleepAwareClock;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.function.LongPredicate;

/** A process of an application on a machine of its own, that may sleep and whose wall clock somebody may set. */
public abstract class ClientProcess extends SimProcess {
    protected final Rng rng;
    /** Whether the machine has a clock that counts sleep and cannot be set. */
    private final boolean hasBootClock;
    /** Of the present life. */
    private SleepAwareClock sleepAware;

    protected ClientProcess(World world, int hostId, double rho) {
        super(world, hostId, rho);
        this.rng = world.rng().split();
        this.hasBootClock = rng.chance(0.5);
        this.sleepAware = new SleepAwareClock(new Clocks());
    }

    /** The machine's clocks, as the client library reads them. */
    private final class Clocks implements ClientClock {
        @Override
        public long nanos() {
            return localNanos();
        }

        @Override
        public long wallMillis() {
            return clock().wallMillis(world.nowNanos());
        }

        @Override
        public long bootMillis() {
            return hasBootClock ? clock().bootMillis(world.nowNanos()) : NO_BOOT_CLOCK;
        }
    }

    /** The process begins a life. */
    protected final void bornWithClocks() {
        born();
        sleepAware = new SleepAwareClock(new Clocks());
    }

    /** The clock that counts sleep. */
    protected final SleepAwareClock sleepAware() {
        return sleepAware;
    }

    public final boolean hasBootClock() {
        return hasBootClock;
    }

    /** R1.3: as the client library asks it. */
    protected final boolean believes(LongPredicate atNanos) {
        return !sleepAware.hasJumped() && atNanos.test(sleepAware.nanos());
    }

    /** Starts the process anew. */
    public abstract void start();

    /** The process ends without a word (kill -9). */
    public abstract void kill();

    /** The process looks at its clocks. */
    protected abstract void look();

    /** The machine sleeps: its monotonic clock stands still until {@link #wake()}. */
    public final void suspend() {
        if (isAlive() && !isPaused()) {
            world.coverage().seen(Seen.CLIENT_SUSPENDED);
            world.trace(() -> "client " + hostId() + "'s machine sleeps");
            pause();
            clock().suspend(world.nowNanos());
        }
    }

    public final void wake() {
        if (clock().isSuspended()) {
            world.trace(() -> "client " + hostId() + "'s machine wakes");
            clock().wake(world.nowNanos());
            forgetPlannedWake();
            goOn();
        }
    }

    /**
     * Somebody sets the wall clock. One that is set back while the machine sleeps hides the sleep from whoever has nothing but
     * that clock; only tokens help then (R1.3), so that is no fault of this world. Nor is one that is set back so shortly before
     * a sleep that the client has not looked since: it looks twice a second, here at once.
     *
     * @return whether it was set
     */
    public final boolean setWallClock(long byMillis) {
        boolean hides = byMillis < 0 && !hasBootClock;
        if (hides && clock().isSuspended()) {
            return false;
        }
        clock().jumpWall(byMillis);
        if (hides && isAlive() && !isPaused()) {
            look();
        }
        return true;
    }
}
