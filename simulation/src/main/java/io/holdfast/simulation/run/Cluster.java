package io.holdfast.simulation.run;

import io.holdfast.client.session.SessionConfig;
import io.holdfast.simulation.check.CellChecks;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.process.ClientProcess;
import io.holdfast.simulation.process.EndpointProcess;
import io.holdfast.simulation.process.LeaseClient;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimProxy;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One world with its replicas, clients and checks. */
public final class Cluster {
    /** Host numbers of proxies begin here. */
    private static final int FIRST_PROXY = 8;
    /** Host numbers of clients begin here. */
    private static final int FIRST_CLIENT = 16;

    private static final int FIRST_LEASE_CLIENT = 48;

    private final World world;
    private final RunConfig config;
    private final SimNetwork network;
    private final CellChecks checks;
    private final List<SimReplica> replicas = new ArrayList<>();
    private final List<SimProxy> proxies = new ArrayList<>();
    private final ProxyPlan proxyPlan;
    private final List<SimClient> clients = new ArrayList<>();
    private final List<LeaseClient> leaseClients = new ArrayList<>();
    private final Operator operator = new Operator(this);

    public Cluster(World world, RunConfig config) {
        this(world, config, ProxyPlan.none());
    }

    public Cluster(World world, RunConfig config, ProxyPlan proxyPlan) {
        this.proxyPlan = proxyPlan;
        this.world = world;
        this.config = config;
        this.network = new SimNetwork(world, config.network());
        this.checks = new CellChecks(
                world, SimReplica.CELL, config.replicas(), config.replica().shards());
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
        for (int i = 0; i < proxyPlan.count(); i++) {
            proxies.add(new SimProxy(world, FIRST_PROXY + i, config.rho(), "p" + (i + 1), network, replicas));
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

    /** Of the first cell. */
    public Checks checks() {
        return checks.first();
    }

    public CellChecks cellChecks() {
        return checks;
    }

    public Operator operator() {
        return operator;
    }

    public List<SimReplica> replicas() {
        return replicas;
    }

    public List<SimProxy> proxies() {
        return proxies;
    }

    ProxyPlan proxyPlan() {
        return proxyPlan;
    }

    /** Where clients come in. */
    private List<EndpointProcess> endpoints() {
        List<EndpointProcess> endpoints = new ArrayList<>(proxies);
        if (proxies.isEmpty() || proxyPlan.alsoReplicas()) {
            endpoints.addAll(replicas);
        }
        return endpoints;
    }

    public List<SimClient> clients() {
        return clients;
    }

    public List<SimProcess> processes() {
        List<SimProcess> all = new ArrayList<>(replicas);
        all.addAll(proxies);
        all.addAll(users());
        return all;
    }

    /** Clients of every kind. */
    public List<ClientProcess> users() {
        List<ClientProcess> all = new ArrayList<>(clients);
        all.addAll(leaseClients);
        return all;
    }

    public LeaseClient addLeaseClient() {
        int number = leaseClients.size();
        SessionConfig session = new SessionConfig(
                endpoints().stream().map(EndpointProcess::name).toList(),
                config.leaseMillis(),
                config.graceMillis(),
                "leases-" + number);
        LeaseClient client = new LeaseClient(
                world,
                FIRST_LEASE_CLIENT + number,
                config.rho(),
                network,
                endpoints(),
                checks.first().holders(),
                session);
        leaseClients.add(client);
        return client;
    }

    public SimClient addClient() {
        return addClient(config.leaseMillis());
    }

    /** A client whose session has this lease. */
    public SimClient addClient(long leaseMillis) {
        List<EndpointProcess> endpoints = endpoints();
        SessionConfig session = new SessionConfig(
                endpoints.stream().map(EndpointProcess::name).toList(),
                leaseMillis,
                config.graceMillis(),
                "client-" + clients.size(),
                config.cacheBytes());
        SimClient client = new SimClient(
                world,
                FIRST_CLIENT + clients.size(),
                config.rho(),
                network,
                endpoints,
                checks.first().holders(),
                session);
        clients.add(client);
        checks.first().addOwner(client);
        return client;
    }

    /** The living leader of the highest term, or null. */
    public @Nullable SimReplica leader() {
        return leader(SimReplica.CELL);
    }

    /** The same of any cell. */
    public @Nullable SimReplica leader(CellId cell) {
        SimReplica best = null;
        long bestTerm = -1;
        for (SimReplica replica : replicas) {
            var view = replica.view(cell);
            if (view != null && replica.isLeader(cell) && view.term() > bestTerm) {
                best = replica;
                bestTerm = view.term();
            }
        }
        return best;
    }

    /** Runs for some time, with all checks after every event. */
    public void run(long nanos) {
        world.runUntil(world.nowNanos() + nanos, checks.first()::afterEvent);
    }
}
