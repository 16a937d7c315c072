package io.holdfast.simulation.run;

import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.process.ClientProcess;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/** Injects faults at random times until it is told to stop; every fault ends by itself. */
public final class Nemesis {
    private final Cluster cluster;
    private final World world;
    private final Rng rng;
    private final SimNetwork network;
    private final List<Fault> kinds = new ArrayList<>();
    private final ProcessFaults processFaults;
    private final Plots plots;
    private boolean stopped;
    /** How long a plot wants to be left alone. */
    private long quietNanos;

    public Nemesis(Cluster cluster) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.rng = world.rng().split();
        this.network = cluster.network();
        this.processFaults = new ProcessFaults(cluster, rng);
        this.plots = new Plots(cluster, rng, processFaults);
        for (Fault fault : Fault.values()) {
            if (cluster.config().has(fault)) {
                kinds.add(fault);
            }
        }
    }

    public void start() {
        if (!kinds.isEmpty()) {
            planNext();
        }
    }

    private void planNext() {
        long pause = rng.exponential(cluster.config().faultEveryNanos()) + quietNanos;
        quietNanos = 0;
        world.after(pause, EventKind.FAULT, 0, () -> {
            if (!stopped) {
                inject(kinds.get(rng.below(kinds.size())));
                planNext();
            }
        });
    }

    /** No more faults; what is broken is repaired, what is dead or stopped goes on. */
    public void stopAndHeal() {
        stopped = true;
        plots.stop();
        network.configure(new io.holdfast.simulation.network.NetworkConfig(
                cluster.config().network().latencyNanos(), 0, 0, 0, 0, false));
        network.heal();
        for (Stream stream : network.openStreams()) {
            stream.goOn();
        }
        for (SimReplica replica : cluster.replicas()) {
            replica.disk().limitTo(Long.MAX_VALUE);
            if (replica.log() != null) {
                replica.log().stallUntil(0);
            }
            replica.goOn();
            replica.start();
        }
        for (ClientProcess client : cluster.users()) {
            client.wake();
            client.goOn();
            if (!client.isAlive()) {
                client.start();
            }
        }
    }

    private void inject(Fault fault) {
        if (world.tracing()) {
            world.trace(() -> "fault " + fault);
        }
        switch (fault) {
            case PARTITION -> partition(false);
            case PARTITION_ONE_WAY -> partition(true);
            case ISOLATE_LEADER -> isolate(leaderOrAny());
            case ISOLATE_CLIENT -> processFaults.withClient(this::isolate);
            case SLOW_HOST -> slowHost();
            case CUT_STREAM -> cutStream();
            case HANG_STREAM -> hangStream();
            case FLAPPING_REPLICA -> flap(anyReplica(), 4);
            case KILL_LEADER -> processFaults.killForAWhile(leaderOrAny());
            case KILL_REPLICA -> processFaults.killForAWhile(anyReplica());
            case PAUSE_LEADER -> processFaults.pauseForAWhile(leaderOrAny());
            case PAUSE_REPLICA -> processFaults.pauseForAWhile(anyReplica());
            case EXPIRY_RACE,
                    LATE_CONFIRMATION,
                    ELECTION_CRASH,
                    SLOW_ANSWERS,
                    WIPE_WHILE_ONE_LAGS,
                    LEAD_THERE_AND_BACK -> plots.inject(fault);
            default -> processFaults.inject(fault);
        }
    }

    private SimReplica anyReplica() {
        return cluster.replicas().get(rng.below(cluster.replicas().size()));
    }

    private SimReplica leaderOrAny() {
        SimReplica leader = cluster.leader();
        return leader != null ? leader : anyReplica();
    }

    private long duration() {
        return rng.pick(
                rng.exponential(500 * World.MILLI),
                rng.exponential(3 * World.SECOND),
                rng.exponential(15 * World.SECOND));
    }

    /** Splits the processes into two groups that do not hear each other, or only one way. */
    private void partition(boolean oneWay) {
        world.coverage().seen(oneWay ? Seen.PARTITION_ONE_WAY : Seen.PARTITION);
        List<SimProcess> all = cluster.processes();
        boolean[] left = new boolean[128];
        for (SimProcess process : all) {
            left[process.hostId()] = rng.chance(0.5);
        }
        for (SimProcess from : all) {
            for (SimProcess to : all) {
                boolean crosses = left[from.hostId()] != left[to.hostId()];
                if (crosses && (!oneWay || left[from.hostId()])) {
                    network.breakPath(from.hostId(), to.hostId());
                }
            }
        }
        world.after(duration(), EventKind.FAULT, 1, network::heal);
    }

    private void isolate(SimProcess victim) {
        int direction = rng.below(3);
        world.coverage().seen(direction == 2 ? Seen.PARTITION : Seen.PARTITION_ONE_WAY);
        for (SimProcess other : cluster.processes()) {
            if (other != victim) {
                if (direction != 0) {
                    network.breakPath(victim.hostId(), other.hostId());
                }
                if (direction != 1) {
                    network.breakPath(other.hostId(), victim.hostId());
                }
            }
        }
        world.after(duration(), EventKind.FAULT, victim.hostId(), () -> network.healHost(victim.hostId()));
    }

    /** C84: a replica is cut off, comes back, is cut off. */
    private void flap(SimReplica victim, int times) {
        if (times == 0 || stopped) {
            return;
        }
        isolate(victim);
        world.after(rng.below(8 * World.SECOND), EventKind.FAULT, victim.hostId(), () -> flap(victim, times - 1));
    }

    private void slowHost() {
        SimReplica victim = anyReplica();
        long extra = rng.pick(20 * World.MILLI, 300 * World.MILLI, World.SECOND);
        for (SimProcess other : cluster.processes()) {
            network.slowDown(victim.hostId(), other.hostId(), extra);
            network.slowDown(other.hostId(), victim.hostId(), extra);
        }
        world.after(duration(), EventKind.FAULT, victim.hostId(), () -> network.healHost(victim.hostId()));
    }

    private void cutStream() {
        List<Stream> open = network.openStreams();
        if (!open.isEmpty()) {
            long notice = rng.pick(5 * World.MILLI, World.SECOND, 4 * World.SECOND);
            open.get(rng.below(open.size())).cut(rng.chance(0.7), rng.chance(0.5), notice);
        }
    }

    private void hangStream() {
        List<Stream> open = network.openStreams();
        if (open.isEmpty()) {
            return;
        }
        Stream victim = open.get(rng.below(open.size()));
        victim.hang();
        boolean ends = rng.chance(0.5);
        world.after(duration(), EventKind.FAULT, victim.id(), () -> {
            if (ends) {
                victim.cut(rng.chance(0.5), rng.chance(0.5), World.SECOND);
            } else {
                victim.goOn();
            }
        });
    }
}
