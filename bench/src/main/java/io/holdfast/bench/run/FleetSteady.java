package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.ServerCpu;
import io.holdfast.bench.server.Metrics;
import io.holdfast.bench.server.ServerMemory;
import io.holdfast.bench.server.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All sessions only stay alive: whether they do, and what it costs each process. <b>Thread:</b> one. */
final class FleetSteady {
    private static final long SETTLE_MILLIS = 5_000;
    private static final long IDLE_MILLIS = 15_000;
    private static final long LOG_MILLIS = 60_000;
    /** Of a core, of the leader, for KeepAlives. */
    private static final double LEADER_CORES = 0.05;
    /** KeepAlive messages of each front end in a second; clocks are not exact. */
    private static final double KEEP_ALIVES = 1.05;
    /** Fewer, and they do not come, or are not counted. */
    private static final double FEWEST_KEEP_ALIVES = 0.5;
    /** Each session sends one in so many seconds, a third of the default lease. */
    private static final double PERIOD_SECONDS = 4;
    /** How far from that the sessions' own KeepAlives may be. */
    private static final double NEAR = 0.2;

    private static final double PER = 10_000;

    private final FleetGround ground;
    private final List<Watched> watched = new ArrayList<>();
    private double idleLeaderCores;

    /** A server process. */
    private static final class Watched {
        final String role;
        final ServerProcess process;
        final long residentBefore;
        final long heapBefore;
        double idleCores;

        Watched(String role, ServerProcess process, ServerMemory.Sample before) {
            this.role = role;
            this.process = process;
            this.residentBefore = before.residentBytes();
            this.heapBefore = before.heapBytes();
        }
    }

    FleetSteady(FleetGround ground) {
        this.ground = ground;
    }

    /** What the servers need before there is a session. */
    void withoutSessions() throws InterruptedException {
        ServerProcess leader = ground.leader();
        add("leader", leader);
        for (ServerProcess follower : ground.followers(leader)) {
            add("follower", follower);
        }
        for (ServerProcess proxy : ground.proxies.servers()) {
            add("proxy", proxy);
        }
        List<Double> cores = cores(Math.min(IDLE_MILLIS, ground.plan.seconds() * 1_000L));
        for (int i = 0; i < watched.size(); i++) {
            watched.get(i).idleCores = cores.get(i);
        }
        idleLeaderCores = cores.get(0);
    }

    private void add(String role, ServerProcess process) throws InterruptedException {
        watched.add(new Watched(role, process, ServerMemory.of(List.of(process))));
    }

    /** Processor time of each over a while, in cores. */
    private List<Double> cores(long millis) throws InterruptedException {
        List<ServerCpu> cpus = watched.stream()
                .map(each -> new ServerCpu(String.valueOf(each.process.pid())))
                .toList();
        List<Long> before = cpus.stream().map(ServerCpu::nanos).toList();
        long begin = System.nanoTime();
        Thread.sleep(millis);
        long elapsed = System.nanoTime() - begin;
        List<Double> cores = new ArrayList<>();
        for (int i = 0; i < cpus.size(); i++) {
            cores.add((double) (cpus.get(i).nanos() - before.get(i)) / elapsed);
        }
        return cores;
    }

    void measure() throws InterruptedException {
        Thread.sleep(SETTLE_MILLIS);
        long totalMillis = ground.plan.seconds() * 1_000L;
        long logMillis = Math.min(LOG_MILLIS, totalMillis);
        long term = ground.replicas.term();
        ServerProcess leader = watched.get(0).process;
        Metrics before = ground.metrics();
        ServerCpu loadCpu = new ServerCpu(ground.fleet.pids());
        long loadBefore = loadCpu.nanos();
        long begin = System.nanoTime();
        long indexBefore = ground.replicas.appliedIndex(leader);
        List<Double> cores = cores(logMillis);
        long entries = ground.replicas.appliedIndex(leader) - indexBefore;
        Thread.sleep(totalMillis - logMillis);
        Metrics after = ground.metrics();
        double seconds = (System.nanoTime() - begin) / 1e9;
        double loadCores = (loadCpu.nanos() - loadBefore) / 1e9 / seconds;
        List<Fields> checked = ground.check();
        print(cores, loadCores);
        judge(checked, seconds, entries, logMillis);
        judgeKeepAlives(before, after, seconds, cores.get(0));
        ground.aims.check(
                term == ground.replicas.term(),
                "the leader did not change (term " + term + ", then " + ground.replicas.term() + ")");
    }

    private void print(List<Double> cores, double loadCores) throws InterruptedException {
        Table table = new Table(
                "process",
                "% of a core",
                "without sessions",
                "resident MB",
                "added per 10,000 sessions",
                "heap MB",
                "added per 10,000 sessions");
        for (int i = 0; i < watched.size(); i++) {
            Watched each = watched.get(i);
            ServerMemory.Sample memory = ServerMemory.of(List.of(each.process));
            table.row(
                    each.process.name() + " (" + each.role + ")",
                    Table.decimals(cores.get(i) * 100, 1),
                    Table.decimals(each.idleCores * 100, 1),
                    megabytes(memory.residentBytes()),
                    megabytes((memory.residentBytes() - each.residentBefore) * PER / ground.plan.sessions()),
                    megabytes(memory.heapBytes()),
                    megabytes((memory.heapBytes() - each.heapBefore) * PER / ground.plan.sessions()));
        }
        table.print();
        System.out.println("the load processes used " + Table.decimals(loadCores, 2) + " cores");
    }

    private static String megabytes(double bytes) {
        return Table.decimals(bytes / 1048576.0, 0);
    }

    private void judge(List<Fields> checked, double seconds, long entries, long logMillis) {
        long safe = Loads.sum(checked, "safe");
        long doubts = Loads.sum(checked, "jeopardies");
        long expiries = Loads.sum(checked, "expiries");
        long lost = Loads.sum(checked, "lost");
        ground.aims.check(
                safe == ground.plan.sessions() && doubts == 0 && expiries == 0 && lost == 0,
                Table.count(safe) + " of " + Table.count(ground.plan.sessions()) + " sessions SAFE for "
                        + Table.decimals(seconds, 0) + " s: " + doubts + " times in jeopardy, " + expiries
                        + " expired, " + lost + " locks lost (aim: all, 0, 0, 0)");
        ground.aims.check(
                entries == 0,
                entries + " entries were added to the log in " + logMillis / 1_000 + " idle seconds (aim: 0)");
    }

    private void judgeKeepAlives(Metrics before, Metrics after, double seconds, double leaderCores) {
        boolean batches = after.has("holdfast_keepalive_batches_total");
        double confirmed = rate("holdfast_keepalives_total", before, after, seconds);
        double messages = batches ? rate("holdfast_keepalive_batches_total", before, after, seconds) : confirmed;
        double each = messages / ground.frontEnds();
        double expected = ground.plan.sessions() / PERIOD_SECONDS;
        double fewest = Math.min(FEWEST_KEEP_ALIVES, (1 - NEAR) * expected / ground.frontEnds());
        ground.aims.check(
                each >= fewest && each <= KEEP_ALIVES,
                "the leader got " + Table.decimals(messages, 1) + " KeepAlive messages/s, " + Table.decimals(each, 2)
                        + " of each " + (ground.plan.proxies() > 0 ? "proxy" : "replica") + " (aim: 1, at least "
                        + Table.decimals(fewest, 2) + ")"
                        + (batches ? "" : "; this version counts KeepAlives of sessions, not batches of them"));
        ground.aims.check(
                Math.abs(confirmed - expected) <= NEAR * expected,
                "the leader confirmed " + Table.decimals(confirmed, 1) + " KeepAlives of sessions/s (aim: one in "
                        + Table.decimals(PERIOD_SECONDS, 0) + " s of each, so " + Table.decimals(expected, 1) + ")");
        double keepAliveCores = leaderCores - idleLeaderCores;
        ground.aims.check(
                keepAliveCores < LEADER_CORES,
                "the leader used " + Table.decimals(keepAliveCores * 100, 1)
                        + " % of a core more than without sessions (aim: below 5)");
    }

    private static double rate(String name, Metrics before, Metrics after, double seconds) {
        return (after.sum(name, Map.of()) - before.sum(name, Map.of())) / seconds;
    }
}
