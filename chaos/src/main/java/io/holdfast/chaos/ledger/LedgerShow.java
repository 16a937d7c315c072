package io.holdfast.chaos.ledger;

import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Workers move money under locks while they are stopped beyond their lease and leaders are killed: first with the guard, then
 * without it, which must show what the guard is for.
 *
 * <p><b>Thread:</b> one, and one that attacks.
 *
 * <p><b>Source:</b> F3, F9, R4.7; C05, C57.
 */
final class LedgerShow implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration FORM = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(500);
    /** So many workers may be stopped at the same time. */
    private static final int FREEZERS = 3;

    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);
    /** For the whole of a run; a healthy one needs a fraction. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final LedgerOptions options;
    private final Verdict verdict;
    private final ShowCell.Ground ground;
    private final ShowCell cell;
    private final LedgerDatabase database;
    private final List<Workers> started = new ArrayList<>();

    LedgerShow(LedgerOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        this.ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = ShowCell.onLoopback(ground, 1, SIZE);
        this.database = new LedgerDatabase(options.directory().resolve("data").resolve("postgres"));
    }

    void run() throws IOException, SQLException, InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
            for (int round = 1; round <= options.late(); round++) {
                new LateScene(ground, cell, database, verdict, round).run();
            }
            guarded(view);
            if (options.unguardedFreezes() > 0) {
                unguarded(view);
            }
        }
    }

    private Workers start(boolean guarded) {
        cell.ensureRunning(); // the attack before may have ended between a kill and a start
        Workers workers = new Workers(ground, cell, database.url(), options.workers(), guarded);
        started.add(workers);
        return workers;
    }

    private void guarded(CellView view) throws IOException, SQLException, InterruptedException {
        database.reset();
        Workers workers = start(true);
        Attack attack = new Attack(cell, view, workers, options.freeze(), FREEZERS, BETWEEN_KILLS);
        try {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (database.transfers() < options.transfers() && System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                attack.requireRunning();
            }
            attack.end();
            workers.diedByThemselves().forEach(worker -> verdict.finding("alive", "%s ended by itself", worker));
            workers.finish();
            long done = database.transfers();
            long stale = workers.said("stale");
            verdict.event(
                    "with the guard: %d transfers, %d workers stopped for %d s, %d leaders killed, %d late writes"
                            + " refused",
                    done, attack.freezes(), options.freeze().toSeconds(), attack.kills(), stale);
            database.wrongBalances().forEach(wrong -> verdict.finding("F9", "with the guard, %s", wrong));
            database.outOfTokenOrder().forEach(wrong -> verdict.finding("F3", "with the guard, %s", wrong));
            if (done < options.transfers()) {
                verdict.notShown("only %d of %d transfers were made", done, options.transfers());
            }
            if (workers.said("done") > done) {
                verdict.finding("C08", "%d transfers were committed, %d are there", workers.said("done"), done);
            }
            if (attack.freezes() == 0 || attack.kills() == 0 || stale == 0) {
                verdict.notShown("nobody was stopped, no leader was killed, or no late write came: no verdict");
            }
        } finally {
            attack.end();
            workers.close();
        }
    }

    /** Ends when the ledger is wrong. */
    private void unguarded(CellView view) throws IOException, SQLException, InterruptedException {
        database.reset();
        Workers workers = start(false);
        Attack attack = new Attack(cell, view, workers, options.freeze(), FREEZERS, BETWEEN_KILLS);
        try {
            List<String> wrong = List.of();
            while (wrong.isEmpty() && attack.freezes() < options.unguardedFreezes()) {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                attack.requireRunning();
                wrong = database.wrongBalances();
            }
            attack.end();
            workers.finish();
            wrong = database.wrongBalances();
            verdict.event(
                    "without the guard: %d transfers, %d workers stopped, %d leaders killed; wrong balances: %s",
                    database.transfers(), attack.freezes(), attack.kills(), wrong);
            verdict.event(
                    "  and %d transfers out of token order",
                    database.outOfTokenOrder().size());
            if (wrong.isEmpty()) {
                verdict.notShown("without the guard the ledger balances too: the run with it shows nothing");
            }
        } finally {
            attack.end();
            workers.close();
        }
    }

    @Override
    public void close() {
        started.forEach(Workers::close);
        cell.close();
        database.close();
    }
}
