package io.holdfast.simulation.process;

import io.holdfast.client.session.LeaseEvent;
import io.holdfast.client.session.LeaseMachine;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.simulation.check.Claim;
import io.holdfast.simulation.check.Holders;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client process that has leased locks: the library's machine for them under a simulated clock and network.
 *
 * <p>What the application believes is registered as {@link Claim}s, judged by the machine's own {@link LeasedHold}s.
 */
public final class LeaseClient extends ClientProcess {
    private final SimNetwork network;
    private final List<? extends EndpointProcess> endpoints;
    private final Holders holders;
    private final SessionConfig config;
    private final Map<Long, Stream> streams = new LinkedHashMap<>();
    private final Map<LeasedHold, Claim> claims = new LinkedHashMap<>();
    private final ArrayDeque<LeaseEvent> events = new ArrayDeque<>();

    private @Nullable LeaseMachine machine;
    private @Nullable LeaseApp app;
    private long lastCallId;
    private boolean stepping;

    public LeaseClient(
            World world,
            int hostId,
            double rho,
            SimNetwork network,
            List<? extends EndpointProcess> endpoints,
            Holders holders,
            SessionConfig config) {
        super(world, hostId, rho);
        this.network = network;
        this.endpoints = endpoints;
        this.holders = holders;
        this.config = config;
    }

    /** Sets what runs on top; before the first start. */
    public void run(LeaseApp application) {
        app = application;
    }

    private LeaseApp app() {
        return Objects.requireNonNull(app, "no application");
    }

    private LeaseMachine machine() {
        return Objects.requireNonNull(machine, "not started");
    }

    @Override
    public void start() {
        bornWithClocks();
        machine = new LeaseMachine(config, rng::below);
        app().started();
    }

    @Override
    public void kill() {
        if (!isAlive()) {
            return;
        }
        world.coverage().seen(Seen.CLIENT_KILLED);
        if (clock().isSuspended()) {
            clock().wake(world.nowNanos());
        }
        claims.values().forEach(holders::remove);
        claims.clear();
        streams.clear();
        died();
        network.hostDied(this);
        app().died();
    }

    public long nextCallId() {
        return ++lastCallId;
    }

    /** Holds that are neither given back nor lost. */
    public List<LeasedHold> holds() {
        return machine().holds();
    }

    public int openCalls() {
        return machine().openCalls();
    }

    @Override
    protected long nextDeadlineNanos() {
        long next = machine == null ? Long.MAX_VALUE : machine.nextDeadlineNanos();
        return next == Long.MAX_VALUE ? next : next - (sleepAware().nanos() - localNanos());
    }

    @Override
    protected void woken() {
        look();
    }

    @Override
    protected void look() {
        step(new LeaseEvent.Tick());
    }

    /** Feeds the machine and does what it asks for; from within an action's callback, after the actions that wait. */
    public void step(LeaseEvent event) {
        events.add(event);
        if (stepping) {
            return;
        }
        stepping = true;
        try {
            sleepAware().observe(this::suspendTrust);
            while (!events.isEmpty() && isAlive()) {
                perform(machine().on(events.remove(), sleepAware().nanos()));
            }
        } finally {
            stepping = false;
            events.clear();
        }
        lookAtClaims();
        if (isAlive()) {
            wakeAt(nextDeadlineNanos());
        }
    }

    private void suspendTrust() {
        perform(machine().on(new LeaseEvent.ClockJump(), sleepAware().nanos()));
    }

    private void lookAtClaims() {
        for (Map.Entry<LeasedHold, Claim> claim : new ArrayList<>(claims.entrySet())) {
            holders.look(claim.getValue());
            if (claim.getKey().isOver()) {
                claims.remove(claim.getKey());
                holders.remove(claim.getValue());
            }
        }
    }

    private void perform(List<SessionAction> actions) {
        for (SessionAction action : actions) {
            if (!isAlive()) {
                return;
            }
            if (world.tracing()) {
                world.trace(() -> "lease client " + hostId() + " " + action);
            }
            perform(action);
        }
    }

    private void perform(SessionAction action) {
        if (action instanceof SessionAction.Send send) {
            Stream stream = streams.get(send.streamNo());
            if (stream != null) {
                stream.sendFromOpener(send.frame());
            }
        } else if (action instanceof SessionAction.OpenStream open) {
            open(open.streamNo(), endpoints.get(open.endpointIndex()));
        } else if (action instanceof SessionAction.CloseStream close) {
            Stream stream = streams.remove(close.streamNo());
            if (stream != null) {
                stream.closeFromOpener();
            }
        } else if (action instanceof SessionAction.LeaseGranted granted) {
            granted(granted);
        } else if (action instanceof SessionAction.Complete done && done.outcome() instanceof Outcome.OfLease lease) {
            app().answered(done.callId(), lease.lease());
        } else if (action instanceof SessionAction.Fail fail) {
            app().failed(fail.callId(), fail.failure());
        } else if (action instanceof SessionAction.LeaseLost lost) {
            world.coverage().seen(Seen.LEASE_LOST);
            app().lost(lost.hold());
        }
    }

    private void granted(SessionAction.LeaseGranted granted) {
        LeasedHold hold = granted.hold();
        Claim claim = new Claim(
                hostId(),
                hold.name().value(),
                hold.token().value(),
                () -> isAlive() && !clock().isSuspended() && believes(hold::isHeldAt));
        claims.put(hold, claim);
        holders.add(claim);
        app().granted(granted.callId(), hold);
    }

    private void open(long streamNo, EndpointProcess replica) {
        if (!replica.takesClients()) {
            if (network.canReach(replica.hostId(), hostId())) {
                later(World.MILLI, EventKind.STREAM_END, () -> closed(streamNo, "connection refused"));
            }
            return;
        }
        LeaseMachine openedBy = machine();
        streams.put(streamNo, replica.accept(this, new StreamEnd() {
            @Override
            public void received(Object frame) {
                if (machine == openedBy && frame instanceof ServerFrame server) {
                    step(new LeaseEvent.StreamFrame(streamNo, server));
                }
            }

            @Override
            public void closed() {
                if (machine == openedBy) {
                    LeaseClient.this.closed(streamNo, "closed");
                }
            }
        }));
    }

    private void closed(long streamNo, String reason) {
        streams.remove(streamNo);
        step(new LeaseEvent.StreamClosed(streamNo, reason));
    }

    /** Sends a frame outside of the machine, as a network would that repeats or holds one back. */
    public void sendRaw(ClientFrame frame) {
        streams.values().forEach(stream -> stream.sendFromOpener(frame));
    }
}
