package io.holdfast.server.http.wire;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections that take a place from others: whose client has begun a request and does not get on with its headers, which an idle
 * timeout does not find if a byte comes now and then; and idle ones, as long as no more are accepted. Sweeps once a second, and only
 * while there are connections.
 *
 * <p><b>Thread:</b> any.
 */
final class ConnectionWatch implements Connection.Listener {
    private static final long SWEEP_MILLIS = 1_000;

    private final int crowd;
    private final long headerNanos;
    private final long crowdedIdleNanos;
    private final Scheduler scheduler;
    private final Map<Connection, State> open = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /** Of one connection. */
    private static final class State {
        private volatile boolean inRequest;
        /** Bytes read when the last request was answered. */
        private volatile long answeredBytes;
        /** When the last request was answered, or the connection was opened. */
        private volatile long quietSinceNanos = System.nanoTime();
        /** Whether, and since when, bytes of a further request were noticed. Written by the sweep. */
        private boolean begun;

        private long begunNanos;
    }

    ConnectionWatch(HttpLimits limits, Scheduler scheduler) {
        this.crowd = limits.connections();
        this.headerNanos = TimeUnit.MILLISECONDS.toNanos(limits.headerMillis());
        this.crowdedIdleNanos = headerNanos / 2;
        this.scheduler = scheduler;
    }

    @Override
    public void onOpened(Connection connection) {
        open.put(connection, new State());
        sweepLater();
    }

    @Override
    public void onClosed(Connection connection) {
        open.remove(connection);
    }

    /** The headers of a request are complete. */
    void requestBegins(Connection connection) {
        State state = open.get(connection);
        if (state != null) {
            state.inRequest = true;
        }
    }

    void requestEnds(Connection connection) {
        State state = open.get(connection);
        if (state != null) {
            state.answeredBytes = connection.getBytesIn();
            state.quietSinceNanos = System.nanoTime();
            state.inRequest = false;
        }
    }

    private void sweepLater() {
        if (sweeping.compareAndSet(false, true)) {
            scheduler.schedule(this::sweepAndGoOn, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void sweepAndGoOn() {
        long nowNanos = System.nanoTime();
        boolean crowded = open.size() >= crowd;
        open.forEach((connection, state) -> {
            if (isSlow(connection, state, nowNanos) || (crowded && isIdle(state, nowNanos))) {
                connection.getEndPoint().close();
            }
        });
        sweeping.set(false);
        if (!open.isEmpty()) {
            sweepLater();
        }
    }

    private boolean isIdle(State state, long nowNanos) {
        return !state.inRequest && nowNanos - state.quietSinceNanos > crowdedIdleNanos;
    }

    private boolean isSlow(Connection connection, State state, long nowNanos) {
        if (state.inRequest || connection.getBytesIn() <= state.answeredBytes) {
            state.begun = false;
            return false;
        }
        if (!state.begun) {
            state.begun = true;
            state.begunNanos = nowNanos;
        }
        return nowNanos - state.begunNanos > headerNanos;
    }
}
