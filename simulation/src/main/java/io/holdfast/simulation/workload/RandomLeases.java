package io.holdfast.simulation.workload;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.simulation.check.LeaseModel;
import io.holdfast.simulation.process.LeaseApp;
import io.holdfast.simulation.process.LeaseClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An application with leased locks: takes holds that renew themselves, asks single questions, gives back, and repeats what was sent
 * long ago, as networks and impatient callers do.
 *
 * <p>Owners are few and some clients share one. It never names a hold that somebody of this owner may still believe in but its own:
 * that would be the caller's own fault.
 */
public final class RandomLeases implements LeaseApp {
    private static final int OLD_CALLS = 20;
    private static final long RACE_NANOS = 200 * World.MILLI;

    private final World world;
    private final LeaseClient client;
    private final Function<LeaseName, LeaseModel> models;
    private final Rng rng;
    private final List<LeaseName> names = new ArrayList<>();
    private final LeaseOwner owner;
    private final long leaseMillis;
    private final long thinkNanos;
    private final Map<Long, Asked> asked = new TreeMap<>();
    /** Holds of this process that are over, as acquired; the newest last. */
    private final List<LeasedHold> over = new ArrayList<>();

    private final List<LeaseCall.Acquire> sent = new ArrayList<>();
    private boolean draining;
    private long requests;

    /** @param call null for an acquire that renews itself */
    private record Asked(@Nullable LeaseCall call, long nanos) {}

    /** @param models what the log says, of the cell that a name belongs to */
    public RandomLeases(
            World world,
            LeaseClient client,
            Function<LeaseName, LeaseModel> models,
            long leaseMillis,
            long thinkNanos) {
        this.world = world;
        this.client = client;
        this.models = models;
        this.rng = world.rng().split();
        this.leaseMillis = leaseMillis;
        this.thinkNanos = thinkNanos;
        this.owner = new LeaseOwner(rng.pick("shared", "shared", "own-" + client.hostId()));
        for (int i = 0; i < 3; i++) {
            names.add(new LeaseName("lease/" + i));
        }
    }

    /** The names that are used. */
    public List<LeaseName> names() {
        return names;
    }

    /** Begin nothing new, give back what is held. */
    public void drain() {
        draining = true;
        for (LeasedHold hold : client.holds()) {
            release(hold);
        }
    }

    /** Whether everything that was asked for has been answered, clean-up included. */
    public boolean isDrained() {
        return asked.isEmpty() && client.openCalls() == 0;
    }

    public String pending() {
        return "lease client " + client.hostId() + ", unanswered calls " + asked + ", open " + client.openCalls();
    }

    @Override
    public void started() {
        think();
        think();
    }

    @Override
    public void died() {
        asked.clear();
        over.clear(); // who comes back does not know what it had
    }

    private void think() {
        client.later(rng.exponential(thinkNanos), EventKind.WORKLOAD, this::next);
    }

    private void next() {
        if (draining) {
            return;
        }
        LeaseName name = names.get(rng.below(names.size()));
        int what = rng.below(10);
        if (what < 5) {
            acquire(name);
        } else if (what < 7) {
            ask(single(name));
        } else if (what < 8) {
            repeatOld();
            think();
        } else {
            ask(new LeaseCall.Inspect(name));
        }
    }

    private LeaseCall.Acquire acquiring(LeaseName name) {
        String id = client.hostId() + "-" + client.life() + "-" + ++requests;
        LeaseCall.Acquire call = new LeaseCall.Acquire(name, owner, leaseMillis, id);
        sent.add(call);
        if (sent.size() > OLD_CALLS) {
            sent.remove(0);
        }
        return call;
    }

    private void acquire(LeaseName name) {
        long call = client.nextCallId();
        asked.put(call, new Asked(null, world.nowNanos()));
        long wait = rng.pick(0L, World.SECOND, 4 * World.SECOND, Long.MAX_VALUE);
        long timeout = rng.pick(10 * World.SECOND, World.SECOND, 20 * World.MILLI, Long.MAX_VALUE);
        client.step(new LeaseEvent.Acquire(call, acquiring(name), wait, timeout));
        if (rng.chance(0.15)) {
            client.later(rng.exponential(World.SECOND), EventKind.WORKLOAD, () -> {
                if (asked.containsKey(call)) {
                    client.step(new LeaseEvent.Cancel(call));
                }
            });
        }
    }

    /** A call of its own, or about a hold that is over; a token below that of one's own hold is nobody's. */
    private LeaseCall single(LeaseName name) {
        LeasedHold old = over.isEmpty() ? null : over.get(rng.below(over.size()));
        if (old == null || rng.chance(0.3)) {
            return acquiring(name);
        }
        FencingToken token = rng.chance(0.7)
                ? old.token()
                : new FencingToken(Math.max(0, old.token().value() - 1 - rng.below(5)));
        LeaseOwner by = rng.chance(0.8) ? owner : new LeaseOwner("stranger");
        return rng.chance(0.5)
                ? new LeaseCall.Renew(old.name(), by, token)
                : new LeaseCall.Release(old.name(), by, token);
    }

    private void ask(LeaseCall call) {
        if (draining) {
            return;
        }
        long id = client.nextCallId();
        asked.put(id, new Asked(call, world.nowNanos()));
        client.step(new LeaseEvent.Ask(id, call, rng.pick(10 * World.SECOND, World.SECOND), false));
    }

    /** A frame comes once more, long after it was sent (C25, C45). */
    private void repeatOld() {
        LeaseCall call;
        if (!over.isEmpty() && rng.chance(0.5)) {
            LeasedHold old = over.get(rng.below(over.size()));
            call = rng.chance(0.5)
                    ? new LeaseCall.Renew(old.name(), owner, old.token())
                    : new LeaseCall.Release(old.name(), owner, old.token());
        } else if (!sent.isEmpty()) {
            call = sent.get(rng.below(sent.size()));
        } else {
            return;
        }
        world.coverage().seen(Seen.LEASE_FRAME_REPEATED);
        client.sendRaw(new ClientFrame.Lease((1L << 40) + client.nextCallId(), call));
    }

    @Override
    public void granted(long callId, LeasedHold hold) {
        asked.remove(callId);
        if (draining) {
            client.later(0, EventKind.WORKLOAD, () -> release(hold));
            return;
        }
        long length = rng.pick(
                rng.exponential(500 * World.MILLI),
                rng.exponential(5 * World.SECOND),
                rng.exponential(8 * leaseMillis * World.MILLI));
        client.later(length, EventKind.WORKLOAD, () -> {
            if (!draining) {
                release(hold);
                think();
            }
        });
    }

    private void release(LeasedHold hold) {
        hold.markReleasing(); // as the handle does
        isOver(hold);
        long call = client.nextCallId();
        asked.put(call, new Asked(null, world.nowNanos()));
        client.step(new LeaseEvent.Release(call, hold));
    }

    private void isOver(LeasedHold hold) {
        over.add(hold);
        if (over.size() > OLD_CALLS) {
            over.remove(0);
        }
    }

    @Override
    public void answered(long callId, LeaseOutcome outcome) {
        Asked call = asked.remove(callId);
        if (call == null || call.call() == null) {
            return; // a release of a handle
        }
        models.apply(call.call().name()).answered(call.call(), outcome, call.nanos());
        if (draining) {
            return;
        }
        if (outcome instanceof LeaseOutcome.Granted granted && rng.chance(0.6)) {
            ask(new LeaseCall.Release(call.call().name(), owner, granted.token()));
        } else if (outcome instanceof LeaseOutcome.Granted granted) {
            race(call.call().name(), granted.token());
        } else if (outcome instanceof LeaseOutcome.Renewed && call.call() instanceof LeaseCall.Renew renewed) {
            race(renewed.name(), renewed.token());
        }
        again();
    }

    /** A renewal that comes about when the lease is over (R7.1). */
    private void race(LeaseName name, FencingToken token) {
        long about = leaseMillis * World.MILLI - RACE_NANOS / 2 + rng.below(RACE_NANOS);
        client.later(about, EventKind.WORKLOAD, () -> ask(new LeaseCall.Renew(name, owner, token)));
    }

    private void again() {
        if (!draining) {
            think();
        }
    }

    @Override
    public void failed(long callId, Failure failure) {
        Asked call = asked.remove(callId);
        if (call != null) {
            again();
        }
    }

    @Override
    public void lost(LeasedHold hold) {
        isOver(hold);
        if (!draining && rng.chance(0.5)) { // a caller that does not count for itself
            client.later(0, EventKind.WORKLOAD, () -> ask(new LeaseCall.Renew(hold.name(), owner, hold.token())));
        }
    }
}
