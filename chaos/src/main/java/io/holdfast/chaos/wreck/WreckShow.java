package io.holdfast.chaos.wreck;

import io.holdfast.chaos.check.HoldCheck;
import io.holdfast.chaos.check.TokenCheck;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.history.History.Grant;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Threads;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.model.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Kills processes of a cell of five with {@code kill -9} while clients take locks and create values, and looks when locks are
 * granted again, and in the end what is left of all that was acknowledged.
 *
 * <p><b>Thread:</b> one.
 *
 * <p><b>Source:</b> N2, N6, R2.1, R2.7, F3; C08, C69.
 */
final class WreckShow implements AutoCloseable {
    private static final int SIZE = 5;
    private static final int CALLERS = 8;
    private static final int CREATORS = 4;
    private static final Duration FORM = Duration.ofMinutes(2);
    private static final Duration WHOLE = Duration.ofSeconds(60);
    private static final Duration FINAL_READS = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(60);
    /** Work between two blows. */
    private static final long WORK_MILLIS = 1_500;

    private final WreckOptions options;
    private final Verdict verdict;
    private final ShowCell.Ground ground;
    private final ShowCell cell;
    private final Callers callers;
    private final List<Creator> creators = new ArrayList<>();

    WreckShow(WreckOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        this.ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = ShowCell.onLoopback(ground, 1, SIZE);
        this.callers = new Callers(cell.endpoints(), CALLERS);
        for (int i = 0; i < CREATORS; i++) {
            creators.add(new Creator(cell.endpoints(), i));
        }
    }

    void run() throws InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            Threads threads = new Threads("wreck");
            callers.tasks().forEach(caller -> threads.start("caller", caller));
            creators.forEach(creator -> threads.start("creator", creator));
            Blows blows = new Blows(ground, cell, view, callers, verdict);
            repeat(options.pairs(), view, blows::anyTwo);
            repeat(options.leaders(), view, blows::leaderAndSecond);
            repeat(options.majorities(), view, blows::three);
            repeat(options.wholes(), view, blows::all);
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
            callers.finish();
            creators.forEach(Creator::finish);
            threads.join(END);
            // Once more, so that what is read afterwards was on the disks.
            ManagedProcess.killAll(cell.replicas());
            cell.ensureRunning();
            judge(view);
        }
    }

    private interface Blow {
        void strike(int round, Answer.Status status) throws InterruptedException;
    }

    private void repeat(int times, CellView view, Blow blow) throws InterruptedException {
        for (int round = 1; round <= times; round++) {
            Optional<Answer.Status> whole = view.await(CellView::isWhole, WHOLE);
            if (whole.isEmpty()) {
                verdict.finding(
                        "N6", "the cell did not become whole within %d s: %s", WHOLE.toSeconds(), view.status());
                return;
            }
            long workBegins = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
            if (callers.awaitGrant(workBegins, WHOLE).isEmpty()) {
                verdict.finding("N6", "a whole cell granted nothing within %d s", WHOLE.toSeconds());
            }
            blow.strike(round, whole.get());
            cell.replicas().stream().filter(ManagedProcess::diedByItself).forEach(replica -> {
                verdict.finding("alive", "%s ended by itself: %s", replica, replica.logTail());
                replica.ensureRunning();
            });
        }
    }

    private void judge(CellView view) throws InterruptedException {
        if (view.await(CellView::isWhole, FINAL_READS).isEmpty() || !view.awaitWrite(FINAL_READS)) {
            verdict.finding("N6", "the cell did not come back at the end: %s", view.status());
            return;
        }
        long created = 0;
        for (Creator creator : creators) {
            Set<String> acknowledged = creator.acknowledged();
            created += acknowledged.size();
            Set<String> missing = new TreeSet<>(acknowledged);
            view.client().values().list(creator.parent()).forEach(missing::remove);
            if (!missing.isEmpty()) {
                verdict.finding(
                        "C08",
                        "%d acknowledged creations below %s are missing: %s",
                        missing.size(),
                        creator.parent(),
                        missing.stream().limit(5).toList());
            }
            if (creator.appliedTwice() > 0) {
                verdict.finding(
                        "R2.7",
                        "%d creations below %s found themselves done",
                        creator.appliedTwice(),
                        creator.parent());
            }
        }
        History history = new History();
        List<Grant> grants = callers.grants();
        history.grants().addAll(grants);
        history.held().addAll(callers.beliefs());
        TokenCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        HoldCheck.check(history).forEach(finding -> verdict.finding(finding.promise(), "%s", finding.what()));
        requireDistinct(grants);
        if (created == 0 || grants.isEmpty()) {
            verdict.notShown("%d creations and %d grants are too little for a verdict", created, grants.size());
        }
        verdict.line("");
        verdict.line(created + " creations acknowledged, and there at the end unless said otherwise ("
                + creators.stream().mapToLong(Creator::unknown).sum() + " more of unknown fate); " + grants.size()
                + " grants with different tokens unless said otherwise; " + callers.sessionsEnded()
                + " sessions of callers ended");
    }

    /** Tokens are revisions of the cell: not even two locks share one (F3, R2.3). */
    private void requireDistinct(List<Grant> grants) {
        long different = grants.stream().mapToLong(Grant::token).distinct().count();
        if (different != grants.size()) {
            verdict.finding("F3", "%d grants have only %d different tokens", grants.size(), different);
        }
    }

    @Override
    public void close() {
        callers.close();
        creators.forEach(Creator::close);
        cell.close();
    }
}
