package io.holdfast.chaos.contenders;

import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.Leadership;
import io.holdfast.model.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One leader and thousands behind it; then it resigns, and each in turn leads and resigns.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> N9, R4.2, R4.7, F1, F3, F4.
 */
final class ContendersShow implements AutoCloseable {
    private static final Duration FORM = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String ELECTION = "/contenders/election";
    private static final long POLL_MILLIS = 200;
    /** For what is still counted after the last lead. */
    private static final long SETTLE_MILLIS = 1_000;

    private final ContendersOptions options;
    private final Verdict verdict;
    private final ShowCell cell;
    private final List<LoadProcess> processes = new ArrayList<>();
    private final List<Path> histories = new ArrayList<>();

    ContendersShow(ContendersOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        ShowCell.Ground ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = ShowCell.onLoopback(ground, 1, options.replicas());
        for (int i = 0; i < options.processes(); i++) {
            String name = "candidates" + i;
            Path history = ground.directory().resolve("log").resolve(name + ".history");
            int sessions = ContendersOptions.share(options.sessions(), options.processes(), i);
            int contenders = ContendersOptions.share(options.contenders(), options.processes(), i);
            histories.add(history);
            processes.add(new LoadProcess(
                    name,
                    ground.log(name),
                    ground.launch(name, ground.plantedClassPath(), "-Xmx256m", "-Xss256k"),
                    CandidatesMain.class.getName(),
                    life -> List.of(
                            cell.endpoints(),
                            ELECTION,
                            Integer.toString(sessions),
                            Integer.toString(contenders),
                            history.toString())));
        }
    }

    void run() throws IOException, InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            Leadership gate = view.client().election(ELECTION).campaign("the gate");
            processes.forEach(LoadProcess::ensureRunning);
            List<Long> queue = awaitQueue(view, gate);
            if (queue.isEmpty()) {
                return;
            }
            verdict.event("%d contenders of %d sessions wait behind one leader", queue.size(), options.sessions());
            EventMeter meter = new EventMeter(cell);
            LeadJudge.Events before = meter.read();
            long begin = System.nanoTime();
            gate.resign();
            awaitLeads();
            double seconds = (System.nanoTime() - begin) / 1e9;
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            LeadJudge.Events after = meter.read();
            judge(queue, new LeadJudge.Events(after.grants() - before.grants(), after.watches() - before.watches()));
            verdict.event("%d hand-overs in %.1f s", queue.size(), seconds);
        }
    }

    /** Tokens of all that wait, in order; none if somebody did not wait, which is a finding. */
    private List<Long> awaitQueue(CellView view, Leadership gate) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<Long> queue = view.client().admin().locks(ELECTION).stream()
                    .filter(place -> !place.held())
                    .map((Answer.PlaceInfo place) -> place.token().value())
                    .sorted()
                    .toList();
            if (leads() > 0 && gate.isLeader()) {
                verdict.finding("N1", "%d candidates led while another one leads", leads());
                return List.of();
            }
            if (queue.size() == options.contenders()) {
                return queue;
            }
            if (System.nanoTime() > end || !gate.isLeader()) {
                throw new IllegalStateException("only " + queue.size() + " of " + options.contenders()
                        + " wait; the first leader leads: " + gate.isLeader() + "; "
                        + processes.get(0).logTail());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private void awaitLeads() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (leads() < options.contenders() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private long leads() throws IOException {
        long leads = 0;
        for (Path history : histories) {
            if (!Files.exists(history)) {
                continue; // its process is still starting
            }
            try (Stream<String> lines = Files.lines(history)) {
                leads += lines.filter(line -> line.startsWith("G\t")).count();
            }
        }
        return leads;
    }

    private void judge(List<Long> queue, LeadJudge.Events events) throws IOException {
        History history = new History();
        for (int i = 0; i < processes.size(); i++) {
            processes.get(i).finish();
            processes.get(i).awaitEnd();
            history.read(processes.get(i).name(), histories.get(i));
        }
        for (Finding finding : LeadJudge.judge(queue, history, events)) {
            verdict.finding(finding.promise(), "%s", finding.what());
        }
        verdict.line("");
        verdict.line(queue.size() + " contenders, " + history.grants().size() + " leads; the replicas sent "
                + events.grants() + " grant events, and " + events.watches() + " of watches");
    }

    @Override
    public void close() {
        LoadProcess.killAll(processes);
        cell.close();
    }
}
