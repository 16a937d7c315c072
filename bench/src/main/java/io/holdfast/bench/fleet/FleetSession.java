package io.holdfast.bench.fleet;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.client.StateChange;
import io.holdfast.client.session.SessionState;
import org.jspecify.annotations.Nullable;

/**
 * One client with its session: it watches the flag, or holds a lock of its own, and stays alive.
 *
 * <p><b>Thread:</b> callbacks come one after the other; the rest any.
 */
final class FleetSession {
    /** A value that all of a fleet look at. */
    static final String FLAG = "/fleet/flag";

    private final Fleet fleet;
    private final String lock;
    private final TrackedTransport transport;
    private final HoldfastClient client;
    private volatile @Nullable LockHold hold;
    /** Written by callbacks. */
    private volatile boolean safe;

    private volatile boolean affected;

    FleetSession(Fleet fleet, String lock, TrackedTransport transport, HoldfastClient client) {
        this.fleet = fleet;
        this.lock = lock;
        this.transport = transport;
        this.client = client;
    }

    /** Begins to open it. */
    void open(boolean holding) {
        var unusedStates = client.onState(this::changed);
        if (holding) {
            var unused = client.lock(lock).acquireAsync().whenComplete((granted, failure) -> {
                if (failure != null) {
                    fleet.failed(lock, failure);
                } else {
                    hold = granted;
                    fleet.held();
                }
            });
        } else {
            var unused = client.values().getAndWatchAsync(FLAG, event -> {}).whenComplete((watched, failure) -> {
                if (failure != null) {
                    fleet.failed(lock, failure);
                }
            });
        }
    }

    private void changed(StateChange change) {
        boolean nowSafe = change.state() == SessionState.SAFE;
        if (nowSafe != safe) {
            safe = nowSafe;
            fleet.safeChanged(nowSafe);
        }
        if (change.state() == SessionState.JEOPARDY) {
            fleet.inJeopardy();
        } else if (change.state() == SessionState.EXPIRED) {
            fleet.expired(change.reason());
        }
    }

    HoldfastClient client() {
        return client;
    }

    /** Remembers whether its stream goes there. */
    boolean mark(String endpoint) {
        affected = transport.endpoint().equals(endpoint);
        return affected;
    }

    boolean isAffected() {
        return affected;
    }

    /** Whether the lock that it took is held still; true if it took none. */
    boolean holdsOn() {
        LockHold held = hold;
        return held == null || held.isHeld();
    }

    void close() {
        client.close();
    }
}
