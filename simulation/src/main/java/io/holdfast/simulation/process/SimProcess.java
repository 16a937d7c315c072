package io.holdfast.simulation.process;

import io.holdfast.simulation.network.Host;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.ProcessClock;
import io.holdfast.simulation.world.World;
import java.util.ArrayDeque;

/**
 * A process that can be paused, killed and started again.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>While it is paused nothing runs in it; what arrives waits, and timers are late.
 *   <li>What was on its way to, or planned in, an earlier life never runs in a later one.
 * </ol>
 */
public abstract class SimProcess implements Host {
    protected final World world;
    private final int hostId;
    private final ProcessClock clock;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean alive;
    private boolean paused;
    private long life;
    private long plannedWakeNanos = Long.MAX_VALUE;

    protected SimProcess(World world, int hostId, double rho) {
        this.world = world;
        this.hostId = hostId;
        this.clock = new ProcessClock(world.rng(), rho, world.nowNanos());
    }

    @Override
    public final int hostId() {
        return hostId;
    }

    @Override
    public final boolean isAlive() {
        return alive;
    }

    @Override
    public final long life() {
        return life;
    }

    public final boolean isPaused() {
        return paused;
    }

    public final ProcessClock clock() {
        return clock;
    }

    /** The process's monotonic clock now. */
    public final long localNanos() {
        return clock.localNanos(world.nowNanos());
    }

    protected final void born() {
        alive = true;
        paused = false;
        life++;
        plannedWakeNanos = Long.MAX_VALUE;
    }

    protected final void died() {
        alive = false;
        paused = false;
        waiting.clear();
        plannedWakeNanos = Long.MAX_VALUE;
    }

    @Override
    public final void deliver(Runnable delivery) {
        if (!alive) {
            return;
        }
        if (paused) {
            waiting.add(delivery);
        } else {
            delivery.run();
        }
    }

    /** Runs something in this life of the process after some true time. */
    public final void later(long delayNanos, EventKind kind, Runnable action) {
        long inLife = life;
        world.after(delayNanos, kind, hostId, () -> {
            if (life == inLife) {
                deliver(action);
            }
        });
    }

    /** Stops everything in the process (SIGSTOP). */
    public final void pause() {
        if (alive && !paused) {
            paused = true;
        }
    }

    /** Goes on: overdue timers and what waited run, in random order of the two. */
    public final void goOn() {
        if (!alive || !paused || clock.isSuspended()) {
            return;
        }
        paused = false;
        boolean timerFirst = world.rng().chance(0.5);
        if (timerFirst) {
            woken();
        }
        while (!waiting.isEmpty() && alive && !paused) {
            waiting.remove().run();
        }
        if (!timerFirst && alive) {
            woken();
        }
    }

    /** The process runs again after a pause, or its timer is due. */
    protected abstract void woken();

    /**
     * Makes sure that {@link #woken} runs when the monotonic clock shows {@code localDeadline}, unless an earlier time is
     * planned already.
     */
    protected final void wakeAt(long localDeadline) {
        if (localDeadline == Long.MAX_VALUE) {
            return;
        }
        long at = Math.max(world.nowNanos(), clock.trueNanos(localDeadline));
        if (at >= plannedWakeNanos && plannedWakeNanos >= world.nowNanos()) {
            return;
        }
        plannedWakeNanos = at;
        long inLife = life;
        world.at(at, EventKind.TIMER, hostId, () -> {
            if (life != inLife || plannedWakeNanos != at) {
                return;
            }
            plannedWakeNanos = Long.MAX_VALUE;
            if (alive && !paused) {
                woken();
            }
        });
    }

    /** When the process wants to be woken by its monotonic clock; asked when the clock's rate has changed. */
    protected abstract long nextDeadlineNanos();

    /** From now on the monotonic clock runs at another rate. */
    public final void changeClockRate() {
        clock.changeRate(world.rng(), world.nowNanos());
        if (alive && !paused) {
            forgetPlannedWake();
            wakeAt(nextDeadlineNanos());
        }
    }

    /** A clock's rate changed or it stood still: what is planned may come too early or too late. */
    protected final void forgetPlannedWake() {
        plannedWakeNanos = Long.MAX_VALUE;
    }
}
