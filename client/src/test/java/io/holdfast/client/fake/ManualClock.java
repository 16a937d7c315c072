package io.holdfast.client.fake;

import io.holdfast.client.loop.ClientClock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when the test says so; the wall clock moves with it unless it is told to jump. */
public final class ManualClock implements ClientClock {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
    private final AtomicLong wallAheadMillis = new AtomicLong(1_700_000_000_000L);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return nanos.get() / 1_000_000L + wallAheadMillis.get();
    }

    public void advanceMillis(long millis) {
        nanos.addAndGet(millis * 1_000_000L);
    }

    /** The machine was suspended so long: only the wall clock noticed. */
    public void wallGains(long millis) {
        wallAheadMillis.addAndGet(millis);
    }
}
