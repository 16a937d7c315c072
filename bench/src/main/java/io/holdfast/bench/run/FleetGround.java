package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.HoldfastProxies;
import io.holdfast.bench.server.HoldfastReplicas;
import io.holdfast.bench.server.Metrics;
import io.holdfast.bench.server.ServerProcess;
import io.holdfast.bench.server.Setup;
import java.util.List;

/** What all phases of {@code bench/fleet} work on. <b>Thread:</b> one. */
final class FleetGround implements AutoCloseable {
    private static final String MAIN_CLASS = "io.holdfast.bench.fleet.FleetMain";
    private static final int BASE_HEAP_MEGABYTES = 384;
    /** Generous: a client with its connection takes less. */
    private static final int SESSIONS_PER_MEGABYTE = 6;

    final FleetPlan plan;
    final HoldfastReplicas replicas;
    final HoldfastProxies proxies;
    /** Each with a part of the fleet. */
    final Loads fleet = new Loads();

    final Aims aims = new Aims();
    /** Calls beside the fleet. */
    private final LoadProcess outsider;

    FleetGround(Bench bench, FleetPlan plan, HoldfastReplicas replicas, Setup setup) {
        this.plan = plan;
        this.replicas = replicas;
        this.proxies = HoldfastProxies.start(setup, plan.proxies(), replicas.endpoints());
        String classPath = bench.classPath(Contender.HOLDFAST);
        for (int i = 0; i < plan.processes(); i++) {
            fleet.add(load(classPath, "fleet" + (i + 1), setup, plan.share(i), plan.cacheBytes()));
        }
        this.outsider = load(classPath, "outsider", setup, 0, 0);
    }

    private LoadProcess load(String classPath, String name, Setup setup, int sessions, long cacheBytes) {
        long caches = sessions * (cacheBytes >> 10) >> 10;
        int heap = BASE_HEAP_MEGABYTES + sessions / SESSIONS_PER_MEGABYTE + (int) (2 * caches);
        return new LoadProcess(
                name,
                LoadProcess.java(classPath, heap, MAIN_CLASS, endpoints(), name),
                setup.data().resolve(name + ".log"));
    }

    /** Where clients connect to. */
    String endpoints() {
        return proxies.servers().isEmpty() ? replicas.endpoints() : proxies.endpoints();
    }

    /** Processes in which clients' connections end. */
    int frontEnds() {
        return proxies.servers().isEmpty() ? plan.replicas() : proxies.servers().size();
    }

    /** Has the client beside the fleet do something. */
    Fields outside(Fields request) {
        return outsider.request(request);
    }

    /** What all replicas count. */
    Metrics metrics() throws InterruptedException {
        return replicas.metrics();
    }

    ServerProcess leader() throws InterruptedException {
        return replicas.leader().orElseThrow(() -> new IllegalStateException("the cell has no leader"));
    }

    List<ServerProcess> followers(ServerProcess leader) {
        return replicas.servers().stream().filter(server -> server != leader).toList();
    }

    /** Opens the whole fleet; how its parts are then. */
    List<Fields> open(int atOnce, int withinSeconds) throws InterruptedException {
        return fleet.request(i -> new Fields("open")
                .with("sessions", plan.share(i))
                .with("atOnce", Math.max(1, atOnce / plan.processes()))
                .with("hold", plan.hold() ? 1 : 0)
                .with("cacheBytes", plan.cacheBytes())
                .with("within", withinSeconds));
    }

    /** How the fleet is. */
    List<Fields> check() throws InterruptedException {
        return fleet.request(i -> new Fields("check"));
    }

    @Override
    public void close() {
        fleet.close();
        outsider.close();
        proxies.close();
    }
}
