package io.holdfast.simulation.workload;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.check.CacheCheck;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.check.Leaders;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An application that takes locks and other places in every way there is, asks who leads, reads and writes values, and closes its
 * session now and then.
 *
 * <p>It has a few lanes; each does one thing after the other. After {@link #gather()} it begins nothing more and is a member of the
 * group; after {@link #drain()} it gives back what it has and closes.
 */
public final class RandomApp implements ClientApp {
    private final World world;
    private final SimClient client;
    private final WorkloadConfig config;
    private final Rng rng;
    private final Values values;
    private final Leaders leaders;
    private final Gathering gathering;
    private final Watchers watchers;
    private final CacheCheck cache;
    private final HotReads hotReads;
    /** Lane of each call that is not answered. */
    private final Map<Long, Integer> calls = new TreeMap<>();

    private final List<Hold> kept = new ArrayList<>();
    private @Nullable SessionState state;
    /** Nothing new is begun, no hold is given back. */
    private boolean resting;

    private boolean draining;
    private long finished;

    public RandomApp(World world, SimClient client, WorkloadConfig config, Checks checks, long firstValue) {
        this.world = world;
        this.client = client;
        this.config = config;
        this.leaders = checks.leaders(Places.ELECTION);
        this.gathering = new Gathering(client);
        this.rng = world.rng().split();
        this.values = new Values(world, rng, checks.histories(), config.keys(), firstValue);
        this.watchers = new Watchers(world, client, config, checks);
        this.cache = new CacheCheck(checks, world.coverage(), "client " + client.hostId());
        this.hotReads = new HotReads(world, client, config, cache);
    }

    /** Operations that have ended in one way or the other. */
    public long finished() {
        return finished;
    }

    /** Begin nothing new, cancel what waits, join the group, keep what is held. */
    public void gather() {
        resting = true;
        hotReads.stop();
        cancelAll();
        gathering.start();
    }

    private void cancelAll() {
        for (long call : List.copyOf(calls.keySet())) {
            if (calls.containsKey(call)) {
                client.step(new SessionEvent.Cancel(call));
            }
        }
    }

    /** Whether it has joined since {@link #gather()}, and nothing else is open. */
    public boolean isGathered() {
        return isDrained() && gathering.isMember();
    }

    /** Tokens of its memberships. */
    public TreeSet<Long> memberships() {
        return gathering.memberships();
    }

    /** Begin nothing new, cancel what waits, give back what is held; the session stays. */
    public void drain() {
        draining = true;
        gathering.stop();
        cancelAll();
        for (Hold hold : client.holds()) {
            client.step(new SessionEvent.Release(client.nextCallId(), hold));
        }
    }

    /** Whether everything that was asked for has been answered, clean-up included. */
    public boolean isDrained() {
        return calls.isEmpty() && hotReads.isQuiet() && client.openCalls() == 0;
    }

    /** What its watchers do not know although everything is well and nothing happens any more; null if they know all. */
    public @Nullable String unseen() {
        return watchers.missing();
    }

    /** Withdraw all watches; the session stays. */
    public void stopWatching() {
        watchers.stop();
    }

    public void close() {
        client.step(new SessionEvent.Close(60 * World.SECOND));
    }

    public boolean isClosed() {
        return client.state() == SessionState.CLOSED;
    }

    public String pending() {
        return "client " + client.hostId() + " " + client.state() + ", unanswered calls " + calls;
    }

    @Override
    public void started() {
        state = null;
        watchers.begin();
        hotReads.start();
        for (int lane = 0; lane < config.lanes(); lane++) {
            think(lane);
        }
    }

    @Override
    public void died() {
        values.died();
        gathering.died();
        calls.clear();
        kept.clear();
    }

    private void think(int lane) {
        client.later(rng.exponential(config.thinkNanos()), EventKind.WORKLOAD, () -> next(lane));
    }

    private void next(int lane) {
        if (resting || draining) {
            return;
        }
        if (rng.chance(config.closeChance())) {
            client.step(new SessionEvent.Close(rng.pick(World.SECOND, 20 * World.SECOND)));
            think(lane);
            return;
        }
        long call = client.nextCallId();
        calls.put(call, lane);
        if (rng.chance(config.lockShare())) {
            acquire(call);
        } else if (rng.chance(config.recipeShare() / 2)) {
            leaders.asks(client.hostId(), call);
            Query first = new Query.ListPlaces(Places.ELECTION, NodePath.ROOT, 1);
            client.step(new SessionEvent.Read(call, first, anyTimeout()));
        } else if (rng.chance(0.5)) {
            client.step(new SessionEvent.Read(call, new Query.GetValue(values.anyRead(call)), anyTimeout()));
        } else {
            Operation write = rng.chance(0.2) ? values.anyBatch(call) : values.anyWrite(call);
            client.step(new SessionEvent.Submit(call, write, anyTimeout()));
        }
    }

    private long anyTimeout() {
        return rng.pick(Long.MAX_VALUE, 10 * World.SECOND, World.SECOND, 20 * World.MILLI);
    }

    private void acquire(long call) {
        AcquireSpec spec = Places.any(rng, config, client.name() + "#" + call);
        long wait = rng.pick(0L, 100 * World.MILLI, 4 * World.SECOND, Long.MAX_VALUE, Long.MAX_VALUE);
        client.step(new SessionEvent.Acquire(call, spec, wait, anyTimeout()));
        if (rng.chance(0.15)) {
            client.later(rng.exponential(World.SECOND), EventKind.WORKLOAD, () -> {
                if (calls.containsKey(call)) {
                    client.step(new SessionEvent.Cancel(call));
                }
            });
        }
    }

    @Override
    public void granted(long callId, Hold hold) {
        if (gathering.granted(callId)) {
            if (draining) { // asked for just before
                client.later(
                        0, EventKind.WORKLOAD, () -> client.step(new SessionEvent.Release(client.nextCallId(), hold)));
            }
            return;
        }
        Integer lane = calls.remove(callId);
        finished++;
        if (lane == null) {
            return;
        }
        if (rng.chance(config.keepChance())) {
            kept.add(hold);
            think(lane);
            return;
        }
        long machine = client.machines();
        client.later(rng.exponential(config.holdNanos()), EventKind.WORKLOAD, () -> release(lane, hold, machine));
    }

    private void release(int lane, Hold hold, long machine) {
        if (resting || draining) {
            return;
        }
        if (client.machines() != machine) {
            think(lane);
            return;
        }
        long call = client.nextCallId();
        calls.put(call, lane);
        client.step(new SessionEvent.Release(call, hold));
        if (rng.chance(0.05)) {
            // in a finally block, once more (C19)
            client.step(new SessionEvent.Release(client.nextCallId(), hold));
        }
    }

    private void ended(long callId) {
        finished++;
        Integer lane = calls.remove(callId);
        if (lane != null && !resting && !draining) {
            think(lane);
        }
    }

    @Override
    public void completed(long callId, Outcome outcome) {
        watchers.shown(outcome);
        values.completed(callId, outcome);
        ended(callId);
    }

    @Override
    public void answeredFromCache(long callId, Answer answer) {
        cache.cached((Answer.Value) answer);
        answered(callId, answer);
    }

    @Override
    public void answered(long callId, Answer answer) {
        if (hotReads.answered(callId, answer)) {
            watchers.shown(answer);
            return;
        }
        if (answer instanceof Answer.Places places) {
            leaders.answered(client.hostId(), callId, places);
        }
        watchers.shown(answer);
        values.answered(callId, answer);
        ended(callId);
    }

    @Override
    public void failed(long callId, Failure failure) {
        if (gathering.failed(callId)) {
            return;
        }
        if (hotReads.failed(callId)) {
            return;
        }
        leaders.forgets(client.hostId(), callId);
        if (watchers.failed(callId)) {
            return;
        }
        values.failed(callId, failure);
        switch (failure.kind()) {
            case HELD -> world.coverage().seen(Seen.ACQUIRE_TIMED_OUT);
            case CANCELLED -> world.coverage().seen(Seen.ACQUIRE_CANCELLED);
            default -> {}
        }
        ended(callId);
    }

    @Override
    public void stateChanged(SessionState newState) {
        if (newState == SessionState.SAFE && state == SessionState.JEOPARDY) {
            world.coverage().seen(Seen.SAFE_AGAIN);
        }
        state = newState;
        if (newState.isOver()) {
            gathering.sessionIsOver();
        }
        if (newState.isOver() && !draining) {
            if (!kept.isEmpty()) {
                world.coverage().seen(Seen.SESSION_ABANDONED);
            }
            kept.clear();
            // the application starts again with a new session, a moment later
            client.later(rng.pick(World.MILLI, World.MILLI, 2 * World.SECOND), EventKind.WORKLOAD, () -> {
                if (state != null && state.isOver() && !draining) {
                    state = null;
                    client.newMachine();
                    watchers.begin();
                }
            });
        }
    }

    @Override
    public void watched(SessionAction action) {
        watchers.on(action);
    }

    @Override
    public void holdLost(Hold hold) {
        kept.remove(hold);
    }
}
