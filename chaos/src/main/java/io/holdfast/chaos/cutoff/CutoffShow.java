package io.holdfast.chaos.cutoff;

import io.holdfast.chaos.check.HoldCheck;
import io.holdfast.chaos.check.TokenCheck;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.holders.Heirs;
import io.holdfast.chaos.holders.Holders;
import io.holdfast.chaos.net.Cables;
import io.holdfast.chaos.net.Namespaces;
import io.holdfast.chaos.net.Topology;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.Shell;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Cuts client processes off, each for a length of its own and all at the same time, then stops all replicas, for one length
 * after the other.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> R1.2, R3.3, R3.4, N1; C35, C74, C101.
 */
final class CutoffShow implements AutoCloseable {
    private static final int SIZE = 3;
    private static final int BASE_PORT = 21_000;
    private static final Duration FORM = Duration.ofMinutes(2);
    /** Less than {@link StateJudge} leaves for a busy machine. */
    private static final double MOST_LATE_SECONDS = 0.9;

    /** After the longest cut: reconnecting, and an expiry of whoever was last heard at its end. */
    private static final Duration SETTLE = Duration.ofSeconds(20);

    private final CutoffOptions options;
    private final Verdict verdict;
    private final ShowCell.Ground ground;
    private final Topology topology;
    private final ShowCell cell;
    private final List<Holders> started = new ArrayList<>();

    CutoffShow(CutoffOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        this.topology = new Topology(SIZE, Math.max(1, options.cuts().size()), options.namespaces(), BASE_PORT);
        if (options.namespaces()) {
            Namespaces.create(topology);
        }
        this.ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = new ShowCell(ground, "cell", topology);
    }

    void run() throws IOException, InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            if (!options.cuts().isEmpty()) {
                cutClients();
            }
            for (Duration length : options.stops()) {
                stopCell(length);
            }
        }
    }

    private Holders holders(String name, String client) {
        Holders holders = new Holders(
                ground, name, topology.prefix(client), cell.endpoints(), options.sessions(), new Holders.Pace(50, 0));
        holders.start();
        started.add(holders);
        return holders;
    }

    private void cutClients() throws IOException, InterruptedException {
        List<String> clients = topology.clientNames();
        List<Holders> all = new ArrayList<>();
        for (String client : clients) {
            all.add(holders("cut-" + client, client));
        }
        try (Heirs heirs = new Heirs(cell.endpoints())) {
            for (Holders holders : all) {
                holders.awaitAll();
                queue(heirs, holders);
            }
            List<Outage> outages = cut(clients);
            TimeUnit.NANOSECONDS.sleep(SETTLE.toNanos());
            judge(all, outages, heirs);
        }
    }

    private static void queue(Heirs heirs, Holders holders) {
        for (int i = 0; i < holders.sessions(); i++) {
            heirs.queueFor(holders.lock(i));
        }
    }

    /** All at once, each for its length; in the order of the clients. */
    private List<Outage> cut(List<String> clients) throws InterruptedException {
        List<Integer> byLength = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            byLength.add(i);
        }
        byLength.sort(Comparator.comparing(options.cuts()::get));
        Outage[] outages = new Outage[clients.size()];
        long before = System.nanoTime();
        Cables.pull(clients);
        long begin = System.nanoTime();
        requireExact("the cuts", Duration.ZERO, begin - before);
        verdict.event("%d client processes with %d sessions each are cut off", clients.size(), options.sessions());
        for (int i : byLength) {
            Duration length = options.cuts().get(i);
            TimeUnit.NANOSECONDS.sleep(begin + length.toNanos() - System.nanoTime());
            long dropped = Cables.plugIn(clients.get(i));
            long end = System.nanoTime();
            outages[i] = new Outage(false, length, begin, end);
            verdict.event("%s mended after %d s, %d packets were dropped", clients.get(i), length.toSeconds(), dropped);
            requireExact("the cut of " + clients.get(i), length, end - begin);
            if (dropped == 0) {
                throw new IllegalStateException("the cut of " + clients.get(i) + " had no effect");
            }
        }
        return List.of(outages);
    }

    /** What lasted longer shows nothing about the length that was asked for: the harness failed. */
    private static void requireExact(String what, Duration asked, long nanos) {
        double late = (nanos - asked.toNanos()) / 1e9;
        if (late > MOST_LATE_SECONDS) {
            throw new IllegalStateException(
                    "%s took %.1f s longer than meant; this machine is too busy".formatted(what, late));
        }
    }

    private void stopCell(Duration length) throws IOException, InterruptedException {
        Holders holders =
                holders("stop-" + length.toSeconds(), topology.clientNames().get(0));
        try (Heirs heirs = new Heirs(cell.endpoints())) {
            holders.awaitAll();
            queue(heirs, holders);
            List<Long> pids = ManagedProcess.pids(cell.replicas());
            long begin = System.nanoTime();
            Shell.signal("STOP", pids);
            verdict.event("all replicas are stopped for %d s", length.toSeconds());
            try {
                TimeUnit.NANOSECONDS.sleep(begin + length.toNanos() - System.nanoTime());
                if (!cell.replicas().stream().allMatch(ManagedProcess::isFrozen)) {
                    throw new IllegalStateException("not all replicas had stopped");
                }
            } finally {
                Shell.signal("CONT", pids);
            }
            Outage outage = new Outage(true, length, begin, System.nanoTime());
            TimeUnit.NANOSECONDS.sleep(SETTLE.toNanos());
            judge(List.of(holders), List.of(outage), heirs);
        }
    }

    private void judge(List<Holders> all, List<Outage> outages, Heirs heirs) throws IOException {
        History history = new History();
        heirs.addTo(history);
        for (Holders holders : all) {
            holders.finish(history);
        }
        for (int i = 0; i < all.size(); i++) {
            judge(all.get(i), outages.get(i), history);
        }
        HoldCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        TokenCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        history.unexpected().forEach(what -> verdict.finding("unexpected", "%s", what));
        verdict.event(
                "  %d of %d locks went to an heir; %d samples of belief, by %d holds",
                heirs.granted(), all.size() * options.sessions(), history.held().size(), HoldCheck.holds(history));
    }

    private void judge(Holders holders, Outage outage, History history) {
        Map<StateJudge.Fate, Integer> fates = new EnumMap<>(StateJudge.Fate.class);
        for (int i = 0; i < holders.sessions(); i++) {
            String session = Integer.toString(i);
            String lock = holders.lock(i);
            StateJudge.Judgement judgement = StateJudge.judge(
                    outage,
                    history.states().stream()
                            .filter(state -> state.client().equals(holders.name())
                                    && state.session().equals(session))
                            .toList(),
                    history.held().stream()
                            .filter(held -> held.client().equals(holders.name())
                                    && held.lock().equals(lock))
                            .toList(),
                    history.lost().stream()
                            .filter(lost -> lost.client().equals(holders.name())
                                    && lost.lock().equals(lock))
                            .toList());
            fates.merge(judgement.fate(), 1, Integer::sum);
            judgement
                    .wrong()
                    .forEach(wrong -> verdict.finding("R3.4", "session %s of %s, %s", session, holders.name(), wrong));
        }
        verdict.event("  %s: %s", outage, fates);
    }

    @Override
    public void close() {
        started.forEach(Holders::kill);
        cell.close();
    }
}
