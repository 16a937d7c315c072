package io.holdfast.chaos.fleet;

import io.holdfast.chaos.check.HoldCheck;
import io.holdfast.chaos.check.TokenCheck;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.holders.Heirs;
import io.holdfast.chaos.holders.Holders;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.model.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Kills leader after leader while many sessions hold and write, and others begin to wait: every hold stays what it is, and whoever
 * asked for a place has one.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> R2.7, R3.3, R4.2, N6; C74.
 */
final class FleetShow implements AutoCloseable {
    private static final Duration FORM = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Holders.Pace PACE = new Holders.Pace(1_000, 5_000);
    /** Acquires that are under way when a leader is killed. */
    private static final int ASKERS = 20;

    private static final long ASK_PAUSE_MILLIS = 2;
    private static final long SETTLE_MILLIS = 3_000;
    private static final long DOWN_MILLIS = 2_000;

    private final FleetOptions options;
    private final Verdict verdict;
    private final ShowCell cell;
    private final List<Holders> fleet = new ArrayList<>();
    private int asked;

    FleetShow(FleetOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        ShowCell.Ground ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = ShowCell.onLoopback(ground, 1, options.replicas());
        for (int i = 0; i < options.processes(); i++) {
            int share =
                    options.sessions() / options.processes() + (i < options.sessions() % options.processes() ? 1 : 0);
            fleet.add(new Holders(ground, "fleet" + i, List.of(), cell.endpoints(), share, PACE));
        }
    }

    void run() throws IOException, InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints());
                Heirs heirs = new Heirs(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            fleet.forEach(Holders::start);
            for (Holders holders : fleet) {
                holders.awaitAll();
            }
            Map<String, Long> holds = holds(view);
            verdict.event("%d sessions hold %d locks", options.sessions(), holds.size());
            for (int round = 1; round <= options.kills(); round++) {
                kill(round, view, heirs, holds);
            }
            judge(heirs);
        }
    }

    /** Token of each hold by its lock. */
    private static Map<String, Long> holds(CellView view) {
        Map<String, Long> holds = new TreeMap<>();
        for (Answer.PlaceInfo place : view.client().admin().locks("/holders")) {
            if (place.held()) {
                holds.put(place.lock().value(), place.token().value());
            }
        }
        return holds;
    }

    private void kill(int round, CellView view, Heirs heirs, Map<String, Long> holds) throws InterruptedException {
        Answer.Status status = view.await(CellView::isWhole, PATIENCE)
                .orElseThrow(() -> new IllegalStateException("the cell was not whole in time: " + view.status()));
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        ReplicaProcess leader = cell.replica(String.valueOf(status.leader()));
        ask(heirs, ASKERS / 2);
        ManagedProcess.killAll(List.of(leader));
        long killedAt = System.nanoTime();
        ask(heirs, ASKERS / 2);
        boolean serves = view.awaitWrite(PATIENCE);
        double seconds = (System.nanoTime() - killedAt) / 1e9;
        TimeUnit.MILLISECONDS.sleep(DOWN_MILLIS);
        leader.ensureRunning();
        if (!serves) {
            verdict.finding("N6", "kill %d: no write within %d s", round, PATIENCE.toSeconds());
            return;
        }
        requireSame(round, view, holds, heirs);
        verdict.event("kill %d: %s killed, a write after %.2f s; %d acquires so far", round, leader, seconds, asked);
    }

    private void ask(Heirs heirs, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            Holders holders = fleet.get(asked % fleet.size());
            heirs.queueFor(holders.lock(asked / fleet.size() % holders.sessions()));
            asked++;
            TimeUnit.MILLISECONDS.sleep(ASK_PAUSE_MILLIS);
        }
    }

    /** Every hold is there with its token, and behind them one place for each acquire. */
    private void requireSame(int round, CellView view, Map<String, Long> holds, Heirs heirs)
            throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long waiting;
        do { // requests that were interrupted are repeated soon
            TimeUnit.MILLISECONDS.sleep(ASK_PAUSE_MILLIS * 100);
            waiting = view.client().admin().locks("/holders").stream()
                    .filter(place -> !place.held())
                    .count();
        } while (waiting < asked && heirs.failures().isEmpty() && System.nanoTime() < end);
        List<String> failures = heirs.failures();
        if (!failures.isEmpty()) { // also of those that are certainly not done: this run has to show that none is lost
            verdict.finding("N6", "kill %d: %d acquires failed: %s", round, failures.size(), failures.get(0));
        } else if (waiting != asked) {
            verdict.finding("R2.7", "kill %d: %d acquires have %d places", round, asked, waiting);
        }
        Map<String, Long> now = holds(view);
        if (!now.equals(holds)) {
            verdict.finding(
                    "N2",
                    "kill %d: %d holds were %d before, and these are others: %s",
                    round,
                    now.size(),
                    holds.size(),
                    different(holds, now));
        }
    }

    private static List<String> different(Map<String, Long> before, Map<String, Long> now) {
        return before.entrySet().stream()
                .filter(hold -> !hold.getValue().equals(now.get(hold.getKey())))
                .map(hold -> hold.getKey() + " " + hold.getValue() + " -> " + now.get(hold.getKey()))
                .limit(5)
                .toList();
    }

    private void judge(Heirs heirs) throws IOException {
        int granted = heirs.granted();
        History history = new History();
        heirs.addTo(history);
        for (Holders holders : fleet) {
            holders.finish(history);
        }
        long ended = history.states().stream()
                .filter(state -> state.state().equals("EXPIRED"))
                .count();
        long doubts = history.states().stream()
                .filter(state -> state.state().equals("JEOPARDY"))
                .count();
        if (granted > 0) {
            verdict.finding("N1", "%d locks were granted to others while their holders lived", granted);
        }
        if (ended > 0 || !history.lost().isEmpty()) {
            verdict.finding(
                    "N6",
                    "%d sessions ended, %d holds were lost: %s",
                    ended,
                    history.lost().size(),
                    history.lost().stream().limit(3).toList());
        }
        history.unexpected().forEach(what -> verdict.finding("R2.7", "%s", what));
        HoldCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        TokenCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        if (history.created().isEmpty()) {
            verdict.notShown("no session wrote anything: no verdict");
        }
        verdict.line("");
        verdict.line(options.sessions() + " sessions, " + ended + " ended, " + doubts + " moments of doubt; "
                + history.created().size() + " writes, each applied once; " + asked + " acquires, each with one place");
    }

    @Override
    public void close() {
        fleet.forEach(Holders::kill);
        cell.close();
    }
}
