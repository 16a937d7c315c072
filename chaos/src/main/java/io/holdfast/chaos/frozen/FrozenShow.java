package io.holdfast.chaos.frozen;

import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** All rounds, shared by several cells side by side. <b>Thread:</b> one, and one for each cell. */
final class FrozenShow implements AutoCloseable {
    private static final Duration FORM = Duration.ofMinutes(2);
    /** Between the starts of two cells, so that their wakings are spread. */
    private static final long STAGGER_MILLIS = 2_000;

    private final FrozenOptions options;
    private final Verdict verdict;
    private final List<ShowCell> cells = new ArrayList<>();
    private final List<FrozenRound.Seen> seen = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();

    FrozenShow(FrozenOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        ShowCell.Ground ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        for (int i = 1; i <= options.parallel(); i++) {
            cells.add(ShowCell.onLoopback(ground, i, options.replicas()));
        }
    }

    void run() throws InterruptedException {
        ExecutorService lanes = Executors.newFixedThreadPool(cells.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < cells.size(); i++) {
                int number = i + 1;
                running.add(lanes.submit(() -> {
                    attack(number, cells.get(number - 1));
                    return null;
                }));
            }
            for (Future<?> lane : running) {
                lane.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } finally {
            lanes.shutdownNow();
            lanes.awaitTermination(1, TimeUnit.MINUTES);
        }
        summarize();
    }

    private void attack(int number, ShowCell cell) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(STAGGER_MILLIS * (number - 1));
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("cell " + number + " did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            while (true) {
                int round = begun.incrementAndGet();
                if (round > options.rounds()) {
                    return;
                }
                try (FrozenRound attack = new FrozenRound(
                        cell,
                        view,
                        verdict,
                        options.freeze(),
                        options.cutPeers().in(round),
                        "round" + round)) {
                    tell(round, number, attack.run());
                }
                cell.replicas().stream()
                        .filter(replica -> replica.diedByItself())
                        .forEach(replica -> {
                            verdict.finding(
                                    "alive", "%s of cell %d ended by itself: %s", replica, number, replica.logTail());
                            replica.ensureRunning();
                        });
            }
        }
    }

    private void tell(int round, int cell, FrozenRound.Seen what) {
        synchronized (seen) {
            seen.add(what);
        }
        verdict.event(
                "round %d (cell %d): %s frozen%s, %s leads in term %d after %.1f s, %d writes acknowledged meanwhile;"
                        + " reads sent to %s: %s; %s; %s; %d KeepAlives and %d changes asked of it since, of all changes"
                        + " %d confirmed and there; %d times others were refused the held lock%s",
                round,
                cell,
                what.old(),
                what.dropped() == 0 ? "" : " and cut off from its peers (" + what.dropped() + " packets dropped)",
                what.next(),
                what.nextTerm(),
                what.secondsToNext(),
                what.writes(),
                what.old(),
                words(Phase.BEFORE, what),
                words(Phase.FROZEN, what),
                words(Phase.AWAKE, what),
                what.keepAlives(),
                what.changes(),
                what.confirmed(),
                what.contended(),
                what.jeopardies() == 0 ? "" : "; holder was in jeopardy " + what.jeopardies() + " times");
    }

    private static String words(Phase phase, FrozenRound.Seen what) {
        return words(phase, what.reads().getOrDefault(phase, ReadLedger.Tally.NONE));
    }

    private static String words(Phase phase, ReadLedger.Tally tally) {
        String when = switch (phase) {
            case BEFORE -> "before";
            case FROZEN -> "while frozen";
            case AWAKE -> "after waking";
        };
        return tally.sent() + " " + when + " (" + tally.answered() + " answered, " + tally.answeredLate()
                + " of them after it was stopped, " + tally.refused() + " refused, " + tally.unanswered()
                + " unanswered)";
    }

    private void summarize() {
        synchronized (seen) {
            verdict.line("");
            for (Phase phase : Phase.values()) {
                ReadLedger.Tally all = ReadLedger.Tally.sum(seen.stream()
                        .map(what -> what.reads().getOrDefault(phase, ReadLedger.Tally.NONE))
                        .toList());
                verdict.line("reads sent to old leaders: " + words(phase, all));
                if (all.sent() == 0) {
                    verdict.notShown("no read was sent %s: too little for a verdict", phase);
                }
            }
            verdict.line(seen.size() + " rounds, in "
                    + seen.stream().filter(what -> what.dropped() > 0).count()
                    + " the old leader woke without its peers' messages; "
                    + seen.stream().mapToLong(FrozenRound.Seen::writes).sum()
                    + " writes acknowledged by new leaders while old ones were frozen; "
                    + seen.stream().mapToLong(FrozenRound.Seen::keepAlives).sum()
                    + " KeepAlives sent to old leaders since they were stopped; "
                    + seen.stream().filter(what -> what.jeopardies() > 0).count()
                    + " rounds in which the holder was in doubt for a moment");
        }
    }

    @Override
    public void close() {
        cells.forEach(ShowCell::close);
    }
}
