package io.holdfast.simulation.run;

import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimProxy;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import org.jspecify.annotations.Nullable;

/** Kills, pauses, cuts off and drains proxies at random times, until it is told to stop. */
final class ProxyFaults {
    private final Cluster cluster;
    private final World world;
    private final Rng rng;
    private final ProcessFaults processFaults;
    private boolean stopped;

    ProxyFaults(Cluster cluster) {
        this.cluster = cluster;
        this.world = cluster.world();
        this.rng = world.rng().split();
        this.processFaults = new ProcessFaults(cluster, rng);
    }

    void start() {
        if (!cluster.proxies().isEmpty()) {
            planNext();
        }
    }

    /** No more faults; what is dead or stopped goes on. To be called before the network is healed. */
    void stop() {
        stopped = true;
        for (SimProxy proxy : cluster.proxies()) {
            proxy.goOn();
            proxy.start();
        }
    }

    private void planNext() {
        world.after(rng.exponential(cluster.proxyPlan().faultEveryNanos()), EventKind.FAULT, 2, () -> {
            if (!stopped) {
                inject(cluster.proxies().get(rng.below(cluster.proxies().size())));
                planNext();
            }
        });
    }

    private void inject(SimProxy victim) {
        switch (rng.below(5)) {
            case 0 -> {
                victim.kill();
                startAgain(victim, rng.pick(rng.exponential(300 * World.MILLI), rng.exponential(5 * World.SECOND)));
            }
            case 1 -> processFaults.pauseForAWhile(victim);
            case 2 -> cutOff(victim, cluster.leader());
            case 3 -> cutOff(victim, null);
            default -> {
                victim.drain();
                startAgain(victim, 11 * World.SECOND + rng.exponential(World.SECOND));
            }
        }
        if (world.tracing()) {
            world.trace(() -> "fault of " + victim);
        }
    }

    private void startAgain(SimProxy victim, long afterNanos) {
        world.after(afterNanos, EventKind.START, victim.hostId(), () -> {
            if (!victim.isAlive()) {
                world.coverage().seen(Seen.PROXY_RESTARTED);
                victim.start();
            }
        });
    }

    /** From one process, or from all; both ways or one. */
    private void cutOff(SimProxy victim, @Nullable SimProcess from) {
        int direction = rng.below(3);
        for (SimProcess other : cluster.processes()) {
            if (other != victim && (from == null || from == other)) {
                if (direction != 0) {
                    cluster.network().breakPath(victim.hostId(), other.hostId());
                }
                if (direction != 1) {
                    cluster.network().breakPath(other.hostId(), victim.hostId());
                }
            }
        }
        long duration = rng.pick(rng.exponential(World.SECOND), rng.exponential(8 * World.SECOND));
        world.after(
                duration,
                EventKind.FAULT,
                victim.hostId(),
                () -> cluster.network().healHost(victim.hostId()));
    }
}
