package io.holdfast.simulation.workload;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.World;
import java.util.TreeSet;

/** An application's membership of the group once all is well: joins, and joins again if its session was ending just then. */
final class Gathering {
    private final SimClient client;
    private boolean wanted;
    /** The call that joins, 0 if there is none. */
    private long joining;

    Gathering(SimClient client) {
        this.client = client;
    }

    /** From now on, until {@link #stop()}. */
    void start() {
        wanted = true;
        join();
    }

    void stop() {
        wanted = false;
    }

    private void join() {
        if (!wanted || joining != 0 || !memberships().isEmpty()) {
            return;
        }
        joining = client.nextCallId();
        AcquireSpec membership = Places.membership(client.name() + "#" + joining);
        client.step(new SessionEvent.Acquire(joining, membership, 0, Long.MAX_VALUE));
    }

    private void joinLater() {
        client.later(World.SECOND, EventKind.WORKLOAD, this::join);
    }

    /** Tokens of its memberships. */
    TreeSet<Long> memberships() {
        TreeSet<Long> tokens = new TreeSet<>();
        for (Hold hold : client.holds()) {
            if (hold.lock().equals(Places.GROUP)) {
                tokens.add(hold.token().value());
            }
        }
        return tokens;
    }

    boolean isMember() {
        return joining == 0 && !memberships().isEmpty();
    }

    /** Whether this was its call. */
    boolean granted(long callId) {
        boolean mine = callId == joining;
        joining = mine ? 0 : joining;
        return mine;
    }

    /** Whether this was its call. */
    boolean failed(long callId) {
        boolean mine = granted(callId);
        if (mine) {
            joinLater();
        }
        return mine;
    }

    void sessionIsOver() {
        if (wanted) {
            joinLater();
        }
    }

    void died() {
        joining = 0;
    }
}
