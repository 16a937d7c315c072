package io.holdfast.client.fake;

import io.holdfast.client.loop.ClientClock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when the test says so; the wall clock moves with it unless it is told to jump. */
public final class ManualClock implements ClientClock {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
    private final AtomicLong wallAheadMillis = new AtomicLong(1_700_000_000_000L);
    private final AtomicLong sleptMillis = new AtomicLong();
    private volatile boolean boot;

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return nanos.get() / 1_000_000L + wallAheadMillis.get();
    }

    /** As coarse as a real one. */
    @Override
    public long bootMillis() {
        long exact = nanos.get() / 1_000_000L + sleptMillis.get();
        return boot ? exact - exact % 10 : NO_BOOT_CLOCK;
    }

    /** From now on the machine has a clock that counts sleep and cannot be set. */
    public void hasBootClock() {
        boot = true;
    }

    public void bootClockFails(boolean fails) {
        boot = !fails;
    }

    public void advanceMillis(long millis) {
        nanos.addAndGet(millis * 1_000_000L);
    }

    /** The machine was suspended so long: the clocks that go on in sleep noticed. */
    public void sleeps(long millis) {
        sleptMillis.addAndGet(millis);
        wallGains(millis);
    }

    /** Somebody set the wall clock; or the machine was suspended, and only the wall clock noticed. */
    public void wallGains(long millis) {
        wallAheadMillis.addAndGet(millis);
    }
}
