package io.holdfast.chaos.frozen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Fires reads, KeepAlives and changes at the old leader: a few all the time, reads in numbers around its waking.
 *
 * <p><b>Thread:</b> its own; told what to do by another.
 */
final class Firing implements Runnable {
    /** So long before the old leader wakes the burst begins. */
    static final Duration EARLY = Duration.ofMillis(300);

    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long BURST_GAP_NANOS = TimeUnit.MICROSECONDS.toNanos(400);
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_800);
    private static final long KEEP_ALIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CHANGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ReadBattery battery;
    private final List<OldSession> sessions;
    private final AtomicInteger connectionsToOpen = new AtomicInteger();
    private volatile long burstEnds = System.nanoTime();
    private volatile boolean finished;

    Firing(ReadBattery battery, List<OldSession> sessions) {
        this.battery = battery;
        this.sessions = List.copyOf(sessions);
    }

    /** So many more connections for reads. */
    void widen(int more) {
        connectionsToOpen.addAndGet(more);
    }

    void burst() {
        burstEnds = System.nanoTime() + BURST_NANOS;
    }

    void finish() {
        finished = true;
    }

    @Override
    public void run() {
        long keepAliveAt = System.nanoTime();
        long changeAt = keepAliveAt;
        while (!finished) {
            battery.widen(connectionsToOpen.getAndSet(0));
            battery.fire();
            long now = System.nanoTime();
            if (now - keepAliveAt >= 0) {
                keepAliveAt = now + KEEP_ALIVE_NANOS;
                sessions.forEach(OldSession::keepAlive);
            }
            if (now - changeAt >= 0) {
                changeAt = now + CHANGE_NANOS;
                sessions.forEach(OldSession::change);
            }
            LockSupport.parkNanos(now - burstEnds < 0 ? BURST_GAP_NANOS : GAP_NANOS);
        }
    }
}
