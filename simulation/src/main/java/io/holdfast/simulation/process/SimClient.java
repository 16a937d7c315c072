package io.holdfast.simulation.process;

import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionMachine;
import io.holdfast.client.session.SessionState;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.simulation.check.Checks;
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
import org.jspecify.annotations.Nullable;

/**
 * A client process: the service's session machine under a simulated clock and network, and an application on top.
 *
 * <p>What the application believes is registered as {@link Claim}s, judged by the machine's own {@link Hold}s.
 */
public final class SimClient extends ClientProcess implements Checks.SessionOwner {
    private final SimNetwork network;
    private final List<? extends EndpointProcess> endpoints;
    private final Holders holders;
    private final SessionConfig config;
    private final Map<Long, Stream> streams = new LinkedHashMap<>();
    private final Map<Hold, Claim> claims = new LinkedHashMap<>();

    private @Nullable SessionMachine machine;
    private @Nullable ClientApp app;
    private long nextCallId = 1;
    private long machines;
    private final ArrayDeque<SessionEvent> events = new ArrayDeque<>();
    private boolean stepping;
    private boolean replacing;

    /** The application's own wait for the answer of the machine. */
    public SimClient(
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

    /** What it calls itself. */
    public String name() {
        return config.clientName();
    }

    /** Sets what runs on top; before the first start. */
    public void run(ClientApp application) {
        app = application;
    }

    private ClientApp app() {
        return java.util.Objects.requireNonNull(app, "no application");
    }

    private SessionMachine machine() {
        return java.util.Objects.requireNonNull(machine, "not started");
    }

    /** Starts the process, with a new session to come. */
    @Override
    public void start() {
        bornWithClocks();
        machine = null;
        newMachine();
        app().started();
    }

    /** The present session machine is over: the application goes on with a new one. */
    public void newMachine() {
        if (machine != null && isAlive()) {
            replacing = true;
            step(new SessionEvent.Close(0));
            replacing = false;
        }
        closeStreams();
        machine = new SessionMachine(config, rng::below);
        machines++;
    }

    /** Rises with every new session machine: a hold of an earlier one is not for this one. */
    public long machines() {
        return machines;
    }

    /** Holds of the present machine that are not over. */
    public List<Hold> holds() {
        return machine().holds();
    }

    /** Holds that the application was told of and may still act under, those among them that an operator ended (R3.6). */
    public List<Hold> actedUnder() {
        return claims.keySet().stream().filter(this::mayAct).toList();
    }

    public int openCalls() {
        return machine().openCalls();
    }

    /** Watches and listenings of the present machine. */
    public int openWatches() {
        return machine().openWatches();
    }

    /** The process ends without a word (kill -9). */
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

    private void closeStreams() {
        streams.values().forEach(Stream::closeFromOpener);
        streams.clear();
    }

    public SessionState state() {
        return machine().state();
    }

    /** Whether this client would trust its session if it ran now. */
    @Override
    public boolean isSafe() {
        return isAlive() && !clock().isSuspended() && machine != null && believes(machine.trust()::safeAt);
    }

    /** Id of the present session, 0 if there is none. */
    @Override
    public long sessionId() {
        var session = machine == null ? null : machine.session();
        return session == null ? 0 : session.value();
    }

    public long nextCallId() {
        return nextCallId++;
    }

    @Override
    protected long nextDeadlineNanos() {
        long next = machine == null ? Long.MAX_VALUE : machine.nextDeadlineNanos();
        return next == Long.MAX_VALUE ? next : next - (sleepAware().nanos() - localNanos());
    }

    @Override
    protected void woken() {
        step(new SessionEvent.Tick());
    }

    /** Feeds the machine and does what it asks for; from within an action's callback, after the actions that wait. */
    public void step(SessionEvent event) {
        if (event instanceof SessionEvent.Close) {
            stopActing(); // whoever closes has stopped
        }
        events.add(event);
        if (stepping) {
            return;
        }
        stepping = true;
        try {
            sleepAware().observe(this::suspendTrust);
            while (!events.isEmpty() && isAlive()) {
                SessionMachine present = machine();
                perform(present, present.on(events.remove(), sleepAware().nanos()));
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
        SessionMachine present = machine();
        perform(present, present.on(new SessionEvent.ClockJump(), sleepAware().nanos()));
    }

    @Override
    protected void look() {
        step(new SessionEvent.Tick());
    }

    private void lookAtClaims() {
        if (claims.isEmpty()) {
            return;
        }
        List<Hold> over = new ArrayList<>();
        for (Map.Entry<Hold, Claim> claim : claims.entrySet()) {
            holders.look(claim.getValue());
            if (!mayAct(claim.getKey())) {
                over.add(claim.getKey());
            }
        }
        for (Hold hold : over) {
            forget(hold);
        }
    }

    /** It is not over, or the application is still bringing to an end what it did under it. */
    private boolean mayAct(Hold hold) {
        return !hold.isOver() || believes(nanos -> hold.stoppingNanosAt(nanos) > 0);
    }

    /** The application has stopped all that an operator ended. */
    private void stopActing() {
        List.copyOf(claims.keySet()).stream().filter(Hold::isOver).forEach(this::forget);
    }

    /** The application takes its time to stop what it did under these holds; under others it goes on. */
    private void awaitTold(SessionAction.AwaitTold await) {
        SessionMachine told = machine();
        long delay = rng.pick(0L, World.MILLI, rng.exponential(500 * World.MILLI), rng.exponential(4 * World.SECOND));
        later(delay, EventKind.WORKLOAD, () -> {
            if (machine == told) {
                await.holds().forEach(this::forget);
                step(new SessionEvent.Told(await.number()));
            }
        });
    }

    private void forget(Hold hold) {
        Claim claim = claims.remove(hold);
        if (claim != null) {
            holders.remove(claim);
        }
    }

    private void perform(SessionMachine from, List<SessionAction> actions) {
        for (SessionAction action : actions) {
            if (from != machine || !isAlive()) {
                return;
            }
            perform(action);
        }
    }

    private void perform(SessionAction action) {
        if (world.tracing()) {
            world.trace(() -> "client " + hostId() + " " + action);
        }
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
        } else {
            tell(action);
        }
    }

    private void tell(SessionAction action) {
        if (action instanceof SessionAction.Complete done) {
            app().completed(done.callId(), done.outcome());
        } else if (action instanceof SessionAction.Answered answered) {
            if (answered.cached()) {
                app().answeredFromCache(answered.callId(), answered.answer());
            } else {
                app().answered(answered.callId(), answered.answer());
            }
        } else if (action instanceof SessionAction.Granted granted) {
            granted(granted);
        } else if (action instanceof SessionAction.Fail fail) {
            app().failed(fail.callId(), fail.failure());
        } else if (action instanceof SessionAction.HoldLost lost) {
            world.coverage().seen(Seen.HOLD_LOST);
            if (!mayAct(lost.hold())) {
                forget(lost.hold());
            }
            app().holdLost(lost.hold());
        } else if (action instanceof SessionAction.AwaitTold await) {
            awaitTold(await);
        } else if (action instanceof SessionAction.StateChanged changed) {
            stateChanged(changed.state());
        } else {
            app().watched(action);
        }
    }

    private void granted(SessionAction.Granted granted) {
        Hold hold = granted.hold();
        Claim claim = new Claim(hostId(), hold, () -> isAlive() && !clock().isSuspended() && acts(hold));
        claims.put(hold, claim);
        holders.add(claim);
        app().granted(granted.callId(), hold);
    }

    /** R3.6: who is told to stop acts until it has stopped, which the cell waits for. */
    private boolean acts(Hold hold) {
        return believes(nanos -> hold.isHeldAt(nanos) || hold.stoppingNanosAt(nanos) > 0);
    }

    private void stateChanged(SessionState state) {
        world.observe(EventKind.OBSERVED, hostId(), state.ordinal());
        switch (state) {
            case JEOPARDY -> world.coverage().seen(Seen.JEOPARDY);
            case EXPIRED -> world.coverage().seen(Seen.CLIENT_EXPIRED);
            default -> {}
        }
        if (!replacing) {
            app().stateChanged(state);
        }
    }

    private void open(long streamNo, EndpointProcess endpoint) {
        if (!endpoint.takesClients()) {
            if (network.canReach(endpoint.hostId(), hostId())) {
                later(World.MILLI, EventKind.STREAM_END, () -> closed(streamNo, "connection refused"));
            }
            return;
        }
        SessionMachine openedBy = machine();
        Stream stream = endpoint.accept(this, new StreamEnd() {
            @Override
            public void received(Object frame) {
                if (machine != openedBy) {
                    return;
                }
                if (frame instanceof ServerFrame.Invalidate) {
                    world.coverage().seen(Seen.CACHE_INVALIDATED);
                } else if (frame instanceof ServerFrame.Held) {
                    world.coverage().seen(Seen.WRITE_HELD);
                }
                if (frame instanceof ServerFrame server) {
                    step(new SessionEvent.StreamFrame(streamNo, server));
                } else {
                    step(new SessionEvent.StreamOpened(streamNo));
                }
            }

            @Override
            public void closed() {
                if (machine == openedBy) {
                    SimClient.this.closed(streamNo, "closed");
                }
            }
        });
        streams.put(streamNo, stream);
    }

    private void closed(long streamNo, String reason) {
        streams.remove(streamNo);
        step(new SessionEvent.StreamClosed(streamNo, reason));
    }

    /** Sends a frame outside of the machine, as a stray or hostile sender would. */
    public void sendRaw(ClientFrame frame) {
        streams.values().forEach(stream -> stream.sendFromOpener(frame));
    }
}
