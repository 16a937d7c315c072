package io.holdfast.chaos.run;

import io.holdfast.chaos.check.AvailabilityCheck;
import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.check.HoldCheck;
import io.holdfast.chaos.check.RegisterCheck;
import io.holdfast.chaos.check.ReplicaCheck;
import io.holdfast.chaos.check.SessionCheck;
import io.holdfast.chaos.check.TokenCheck;
import io.holdfast.chaos.disk.ReplicaDisk;
import io.holdfast.chaos.fault.Arena;
import io.holdfast.chaos.fault.FaultKind;
import io.holdfast.chaos.fault.Nemesis;
import io.holdfast.chaos.fence.FenceServer;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.net.Firewall;
import io.holdfast.chaos.net.Namespaces;
import io.holdfast.chaos.net.Relay;
import io.holdfast.chaos.net.Topology;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.proc.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run. <b>Thread:</b> one. */
final class ChaosRun implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final int FIRST_PORT = 21_000;
    private static final int PORT_SPAN = 8_000;
    private static final long FORM_MILLIS = 60_000;
    /**
     * From the end of a round of faults until a write is answered: elections, restarts, and TCP that has to notice. It is
     * for those that left no majority; what N6 promises while there is one is judged by {@link AvailabilityCheck}.
     */
    private static final long RECOVER_MILLIS = 40_000;

    private static final long WARM_UP_MILLIS = 3_000;

    private final Options options;
    private final Report report;
    private final Topology topology;
    private final SplittableRandom random;
    private final List<Relay> relays = new ArrayList<>();
    private final List<Long> recoveries = new ArrayList<>();
    private final ReplicaCheck replicaCheck = new ReplicaCheck();
    private final FenceServer fence;
    private final Setup setup;
    private final List<ReplicaProcess> replicas;
    private final List<LoadProcess> clients;
    private final CellWatch watch;
    private final Probe probe;

    ChaosRun(Options options, Report report) throws IOException {
        this.options = options;
        this.report = report;
        this.random = new SplittableRandom(options.seed());
        int basePort = FIRST_PORT + (int) Math.floorMod(ProcessHandle.current().pid() * 40, (long) PORT_SPAN);
        this.topology = new Topology(options.replicas(), CLIENTS, options.root(), basePort);
        if (options.root()) {
            Namespaces.create(topology);
        }
        this.setup = new Setup(options, topology);
        this.fence = new FenceServer(
                topology.hub(), topology.fencePort(), options.directory().resolve("fence.log"));
        for (String name : topology.replicaNames()) {
            relays.add(new Relay(
                    topology.hub(), topology.relayPort(name), topology.host(name), topology.clientPort(name)));
        }
        this.replicas = setup.replicas();
        this.clients = setup.clients(System.nanoTime());
        this.watch = new CellWatch(
                topology.replicaNames().stream().map(topology::clientAddress).collect(Collectors.joining(",")),
                replicaCheck);
        this.probe = new Probe(
                topology.replicaNames().stream().map(topology::clientAddress).toList());
    }

    Report.Verdict run() throws IOException, InterruptedException {
        replicas.forEach(ManagedProcess::ensureRunning);
        if (watch.awaitWrite(FORM_MILLIS) < 0) {
            report.finding(new Finding("start", "the cell did not serve within a minute"));
            replicas.forEach(replica -> report.line(replica + ":\n  " + replica.logTail()));
            return report.verdict(options, List.of());
        }
        report.event(replicas.size() + " replicas serve");
        clients.forEach(ManagedProcess::ensureRunning);
        probe.start();
        TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
        Nemesis nemesis = attack();
        AvailabilityCheck.Result availability =
                AvailabilityCheck.check(nemesis.rounds(), probe.served(), watch.leads(), options.replicas());
        availability.findings().forEach(report::finding);
        probe.close();
        History history = windDown();
        Evidence evidence = new Evidence()
                .faults(options.kinds(), nemesis::count, nemesis::reached)
                .service(availability.spared(), availability.judged());
        if (options.shim() != null) {
            evidence.shims(syncs());
        }
        judge(history, nemesis.done(), evidence);
        report.faults(nemesis, availability, options);
        Report.Verdict verdict = report.verdict(options, evidence.missing());
        if (verdict == Report.Verdict.RED) {
            keepData();
        }
        return verdict;
    }

    private Map<String, Long> syncs() {
        Map<String, Long> syncs = new TreeMap<>();
        setup.disks()
                .forEach((replica, disk) -> syncs.put(replica, disk.control().syncs()));
        return syncs;
    }

    /** For whoever looks into it: small disks go with the run. */
    private void keepData() {
        for (ReplicaProcess replica : replicas) {
            Path kept = options.directory().resolve("data-" + replica.name());
            if (!Shell.succeeds("cp", "-r", replica.dataDir().toString(), kept.toString())) {
                report.line("the data of " + replica + " could not be kept");
            }
        }
    }

    private Nemesis attack() throws IOException, InterruptedException {
        Arena arena = new Arena(
                topology,
                replicas,
                clients,
                setup.disks(),
                setup.clocks(),
                relays,
                new Firewall(topology),
                watch::leader);
        Nemesis nemesis = new Nemesis(arena, random.split(), options.kinds(), new Nemesis.Observer() {
            @Override
            public void begun(FaultKind kind, String target) {
                report.event(kind.label() + ": " + target);
            }

            @Override
            public Set<String> absent() {
                return watch.absent(topology.replicaNames());
            }

            @Override
            public void healed(List<FaultKind> kinds) {
                awaitRecovery(kinds.stream().map(FaultKind::label).collect(Collectors.joining(" and ")));
            }
        });
        nemesis.run(System.nanoTime() + (long) (options.minutes() * TimeUnit.MINUTES.toNanos(1)));
        return nemesis;
    }

    private void awaitRecovery(String after) {
        long millis = watch.awaitWrite(RECOVER_MILLIS);
        if (millis < 0) {
            report.finding(new Finding(
                    "recovery",
                    "after " + after + " nothing was broken any more, but no write was answered for "
                            + RECOVER_MILLIS / 1_000 + " s"));
        } else {
            recoveries.add(millis);
        }
        requireAlive(after);
    }

    private void requireAlive(String after) {
        Stream.concat(replicas.stream(), clients.stream())
                .filter(ManagedProcess::diedByItself)
                .forEach(process -> {
                    report.finding(new Finding(
                            "alive", process + " ended by itself around " + after + ":\n  " + process.logTail()));
                    process.ensureRunning();
                });
    }

    /** Ends the load, then the power of all replicas once more: what is read afterwards was durable. */
    private History windDown() throws IOException, InterruptedException {
        report.event("ending the load");
        clients.forEach(LoadProcess::finish);
        for (LoadProcess client : clients) {
            if (client.awaitEnd()) {
                report.finding(new Finding("close", client + " did not end in time"));
            }
        }
        requireAlive("the attacks");
        ManagedProcess.killAll(replicas);
        if (options.shim() != null) {
            for (ReplicaDisk disk : setup.disks().values()) {
                disk.cutPower(null);
            }
        }
        replicas.forEach(ManagedProcess::ensureRunning);
        awaitRecovery("the last power cut");
        History history = new History();
        try (Stream<Path> files = Files.list(options.directory().resolve("history"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                history.read(name.substring(0, name.indexOf('.')), file);
            }
        }
        new FinalReads(watch, options.replicas()).run(history).forEach(report::finding);
        stopReplicas();
        return history;
    }

    private void stopReplicas() {
        watch.close();
        replicas.forEach(ManagedProcess::expectDeath);
        Shell.signal("TERM", ManagedProcess.pids(replicas));
        for (ReplicaProcess replica : replicas) {
            if (replica.awaitEnd()) {
                report.finding(new Finding("stop", replica + " did not end on SIGTERM"));
            }
        }
    }

    private void judge(History history, List<Nemesis.Done> faults, Evidence evidence) {
        report.event("checking the histories");
        RegisterCheck.Result registers = RegisterCheck.check(history);
        evidence.values(registers.keys(), registers.undecided());
        if (history.created().isEmpty() || history.held().isEmpty() || registers.operations() == 0) {
            report.finding(new Finding("idle", "the clients did too little for a verdict"));
        }
        Stream.of(
                        registers.findings(),
                        HoldCheck.check(history),
                        TokenCheck.check(history),
                        SessionCheck.check(history, faults),
                        replicaCheck.findings(),
                        history.unexpected().stream()
                                .map(what -> new Finding("unexpected", what))
                                .toList())
                .flatMap(List::stream)
                .forEach(report::finding);
        report.line("");
        report.line("values: " + registers.operations() + " operations on " + registers.keys()
                + " keys checked for linearizability, " + registers.undecided() + " keys undecided; "
                + history.created().size() + " creations acknowledged, and there at the end");
        report.line("locks: " + history.grants().size() + " grants, " + HoldCheck.holds(history) + " holds seen, "
                + history.held().size() + " samples of isHeld, "
                + history.owners().size()
                + " questions who holds; fenced resource: " + fence.accepted() + " writes accepted, "
                + fence.refused() + " refused");
        report.line("sessions: " + SessionCheck.excused(history, faults)
                + " ended whose clients were cut off or frozen; every other one lived");
        report.line(
                "replicas: " + replicaCheck.compared() + " digests compared, " + replicaCheck.terms() + " terms seen");
        report.line(
                "service: from the end of a round of faults or of the last power cut, when replicas may still be starting, "
                        + "until a write that was called after it was answered: median " + percentile(50)
                        + " ms, worst " + percentile(100) + " ms");
    }

    private long percentile(int percent) {
        List<Long> sorted = recoveries.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) * percent / 100);
    }

    /** Ends what still runs, in whatever state the run is. */
    @Override
    public void close() {
        ManagedProcess.killAll(clients);
        ManagedProcess.killAll(replicas);
        relays.forEach(Relay::close);
        fence.close();
        probe.close();
        watch.close();
    }
}
