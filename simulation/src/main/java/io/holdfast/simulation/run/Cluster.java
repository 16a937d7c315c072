package io.holdfast.simulation.run;

import io.holdfast.client.session.SessionConfig;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One world with its replicas, clients and checks. */
public final class Cluster {
    /** Host numbers of clients begin here. */
    private static final int FIRST_CLIENT = 16;

    private final World world;
    private final RunConfig config;
    private final SimNetwork network;
    private final Checks checks;
    private final List<SimReplica> replicas = new ArrayList<>();
    private final List<SimClient> clients = new ArrayList<>();
    private final Operator operator = new Operator(this);

    public Cluster(World world, RunConfig config) {
        this.world = world;
        this.config = config;
        this.network = new SimNetwork(world, config.network());
        this.checks = new Checks(world, config.replicas());
        for (int i = 0; i < config.replicas(); i++) {
            replicas.add(new SimReplica(
                    world,
                    i,
                    config.replica().members().get(i),
                    config.rho(),
                    network,
                    config.replica(),
                    checks,
                    replicas));
        }
    }

    public World world() {
        return world;
    }

    public RunConfig config() {
        return config;
    }

    public SimNetwork network() {
        return network;
    }

    public Checks checks() {
        return checks;
    }

    public Operator operator() {
        return operator;
    }

    public List<SimReplica> replicas() {
        return replicas;
    }

    public List<SimClient> clients() {
        return clients;
    }

    public List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(replicas);
        all.addAll(clients);
        return all;
    }

    public SimClient addClient() {
        return addClient(config.leaseMillis());
    }

    /** A client whose session has this lease. */
    public SimClient addClient(long leaseMillis) {
        SessionConfig session = new SessionConfig(
                config.replica().members(),
                leaseMillis,
                config.graceMillis(),
                "client-" + clients.size(),
                config.cacheBytes());
        SimClient client = new SimClient(
                world, FIRST_CLIENT + clients.size(), config.rho(), network, replicas, checks.holders(), session);
        clients.add(client);
        checks.addOwner(client);
        return client;
    }

    /** The living leader of the highest term, or null. */
    public @Nullable SimReplica leader() {
        SimReplica best = null;
        long bestTerm = -1;
        for (SimReplica replica : replicas) {
            var view = replica.view();
            if (view != null && replica.isLeader() && view.term() > bestTerm) {
                best = replica;
                bestTerm = view.term();
            }
        }
        return best;
    }

    /** Runs for some time, with all checks after every event. */
    public void run(long nanos) {
        world.runUntil(world.nowNanos() + nanos, checks::afterEvent);
    }
}
