package io.holdfast.simulation.process;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.proxy.core.LeaderViews;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A proxy process: the service's front end beside no replica, and its search for the leader, over simulated streams.
 *
 * <p>It follows what each replica says of who leads, as the adapters of the real one do: a stream to each, dialled again when it ends or
 * nothing was heard on it for two seconds.
 */
public final class SimProxy extends EndpointProcess {
    private static final long LOOK_NANOS = 100 * World.MILLI;
    private static final long SILENCE_NANOS = 2 * World.SECOND;
    private static final long DRAIN_NANOS = 10 * World.SECOND;
    private static final long SPREAD_MILLIS = 500;

    private final List<SimReplica> replicas;
    private @Nullable FrontEndHost frontEnd;
    private LeaderViews views = new LeaderViews();
    /** By cell. */
    private final Map<String, LeaderViews.Known> told = new TreeMap<>();

    private final Map<String, Scout> scouts = new TreeMap<>();
    private boolean draining;
    private long endsNanos;

    /** A stream on which a replica says who leads. */
    private static final class Scout {
        @Nullable
        Stream stream;

        long heardNanos;
    }

    public SimProxy(World world, int hostId, double rho, String name, SimNetwork network, List<SimReplica> replicas) {
        super(world, hostId, rho, name, network);
        this.replicas = replicas;
    }

    public void start() {
        if (isAlive()) {
            return;
        }
        born();
        frontEnd =
                new FrontEndHost(network, this, null, replicas, replicas.get(0).shards());
        views = new LeaderViews();
        views.asked(replicas.stream().map(SimReplica::name).collect(Collectors.toSet()));
        told.clear();
        draining = false;
        scouts.clear();
        replicas.forEach(this::dial);
        later(LOOK_NANOS, EventKind.TIMER, this::look);
    }

    public void kill() {
        if (isAlive()) {
            world.coverage().seen(Seen.PROXY_KILLED);
            end();
        }
    }

    private void end() {
        frontEnd = null;
        died();
        network.hostDied(this);
    }

    /** It is told to end: its clients move first, for a bounded time (ADR 0019). */
    public void drain() {
        if (isAlive() && !draining) {
            world.coverage().seen(Seen.PROXY_DRAINED);
            draining = true;
            endsNanos = localNanos() + DRAIN_NANOS;
            deliver(() -> frontEnd().drain(SPREAD_MILLIS));
        }
    }

    @Override
    boolean takesClients() {
        return isAlive() && !draining;
    }

    @Override
    FrontEndHost frontEnd() {
        return java.util.Objects.requireNonNull(frontEnd, "dead");
    }

    @Override
    protected long nextDeadlineNanos() {
        return frontEnd == null ? Long.MAX_VALUE : frontEnd.nextDeadlineNanos();
    }

    @Override
    protected void woken() {
        if (frontEnd != null) {
            frontEnd.tick();
            planWake();
        }
    }

    @Override
    void planWake() {
        wakeAt(nextDeadlineNanos());
    }

    // ---- who leads

    private void dial(SimReplica replica) {
        Scout scout = new Scout();
        scouts.put(replica.name(), scout);
        scout.heardNanos = localNanos();
        if (!replica.isAlive()) {
            return; // dialled again when it was silent for long enough
        }
        UpstreamLinks far = replica.frontEnd().requireLinks();
        long link = far.newLink();
        Stream stream = network.open(
                this,
                new StreamEnd() {
                    @Override
                    public void received(Object frame) {
                        if (frame instanceof LeadersView view && scouts.get(replica.name()) == scout) {
                            scout.heardNanos = localNanos();
                            views.heard(replica.name(), view, localNanos());
                            tell();
                        }
                    }

                    @Override
                    public void closed() {
                        if (scouts.get(replica.name()) == scout) {
                            later(50 * World.MILLI + world.rng().below(World.SECOND), EventKind.TIMER, () -> {
                                if (scouts.get(replica.name()) == scout) {
                                    dial(replica);
                                }
                            });
                        }
                    }
                },
                replica,
                far.accept(link));
        far.opened(link, stream);
        scout.stream = stream;
        stream.sendFromOpener(UpstreamLinks.FOLLOW);
    }

    private void look() {
        views.look(localNanos());
        for (SimReplica replica : replicas) {
            Scout scout = scouts.get(replica.name());
            if (scout != null && localNanos() - scout.heardNanos > SILENCE_NANOS) {
                if (scout.stream != null) {
                    scout.stream.closeFromOpener();
                }
                dial(replica);
            }
        }
        tell();
        frontEnd().lookAtLinks(SILENCE_NANOS);
        planWake();
        if (draining && (frontEnd().clients() == 0 || localNanos() >= endsNanos)) {
            world.coverage().seen(frontEnd().clients() == 0 ? Seen.PROXY_LEFT_BY_ALL : Seen.PROXY_ENDED_WITH_CLIENTS);
            end();
            return;
        }
        later(LOOK_NANOS, EventKind.TIMER, this::look);
    }

    private void tell() {
        new TreeMap<>(views.known(localNanos())).forEach((cell, known) -> {
            if (known.equals(told.put(cell, known))) {
                return;
            }
            if (cell.equals(SimReplica.CELL.value())) {
                frontEnd().leaderKnown(known.leader(), known.term());
            } else {
                frontEnd().leaderKnown(new CellId(cell), known.leader(), known.term());
            }
        });
    }

    @Override
    public String toString() {
        return name() + " "
                + (isAlive() ? "follows " + told.get(SimReplica.CELL.value()) + (draining ? ", drains" : "") : "dead");
    }
}
