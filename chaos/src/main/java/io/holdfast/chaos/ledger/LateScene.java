package io.holdfast.chaos.ledger;

import io.holdfast.chaos.proc.LoadProcess;
import io.holdfast.chaos.proc.Shell;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.fencing.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A holder is stopped for 20 s with a write prepared; see {@link LateHolderMain}. The next one acts within 15 s of the stop (N5); the
 * first thing that the stopped one's library says is that it is in jeopardy (R1.3, R3.4), and the guard refuses its write (R4.7).
 *
 * <p><b>Thread:</b> one.
 */
final class LateScene {
    private static final Duration FREEZE = Duration.ofSeconds(20);
    private static final double TAKEOVER_SECONDS = 15;
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final long POLL_MILLIS = 50;

    private final ShowCell cell;
    private final LedgerDatabase database;
    private final Verdict verdict;
    private final String lock;
    private final LoadProcess late;

    LateScene(ShowCell.Ground ground, ShowCell cell, LedgerDatabase database, Verdict verdict, int round) {
        this.cell = cell;
        this.database = database;
        this.verdict = verdict;
        this.lock = LedgerDatabase.book(0);
        String name = "late" + round;
        this.late = new LoadProcess(
                name,
                ground.log(name),
                ground.launch(name, ground.classPath(), "-Xmx96m"),
                LateHolderMain.class.getName(),
                life -> List.of(cell.endpoints(), database.url(), lock));
    }

    void run() throws IOException, SQLException, InterruptedException {
        database.reset();
        late.ensureRunning();
        try (HoldfastClient next = HoldfastClient.builder()
                        .withoutCache()
                        .endpoints(cell.endpoints())
                        .build();
                Transfers transfers = new Transfers(database.url(), true, "next")) {
            await("ready");
            CompletableFuture<LockHold> waiting = next.lock(lock).acquireAsync();
            TimeUnit.MILLISECONDS.sleep(500);
            List<Long> pids = List.of(late.pid());
            long stoppedAt = System.nanoTime();
            Shell.signal("STOP", pids);
            double acted;
            try {
                acted = act(transfers, waiting, stoppedAt);
                TimeUnit.NANOSECONDS.sleep(stoppedAt + FREEZE.toNanos() - System.nanoTime());
            } finally {
                Shell.signal("CONT", pids);
            }
            await("end");
            late.finish();
            late.awaitEnd();
            judge(acted);
        } finally {
            LoadProcess.killAll(List.of(late));
        }
    }

    /** The next holder raises the guard, reads and writes; seconds since the stop. */
    private double act(Transfers transfers, CompletableFuture<LockHold> waiting, long stoppedAt)
            throws SQLException, InterruptedException {
        try {
            LockHold hold = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Grant grant = Grant.exclusive(lock, hold.token().value());
            transfers.raise(grant);
            transfers.write(grant, 1, 2, 5, transfers.read(lock, 1, 2));
            return (System.nanoTime() - stoppedAt) / 1e9;
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the next holder was not granted", failed);
        }
    }

    private void judge(double acted) throws IOException, SQLException {
        String state = since("isHeld", "state").orElse("nothing");
        String held = detail("isHeld");
        String write = detail("write");
        String put = detail("put");
        verdict.event(
                "a holder stopped for %d s: the next one acted after %.1f s; on waking isHeld() said %s, its state was"
                        + " %s, it was told first: %s; its write was %s; its call was %s",
                FREEZE.toSeconds(), acted, held, detail("now"), state, shown(write), shown(put));
        require(acted < TAKEOVER_SECONDS, "N5", "the next holder acted after " + acted + " s");
        require(held.equals("false"), "R1.3", "a holder that woke after its lease was told that it holds");
        require(state.startsWith("JEOPARDY"), "R3.4", "the first that a client said on waking was: " + state);
        require(!detail("ensureHeld").equals("done"), "R1.3", "ensureHeld() passed on waking");
        require(write.startsWith("refused"), "R4.7", "the late write was " + write);
        require(!put.equals("done"), "R3.4", "a call under the ended session succeeded: " + put);
        List<String> wrong = database.wrongBalances();
        require(wrong.isEmpty(), "F9", "wrong balances: " + wrong);
    }

    private void require(boolean condition, String promise, String otherwise) {
        if (!condition) {
            verdict.finding(promise, "%s", otherwise);
        }
    }

    private static String shown(String text) {
        return text.length() < 160 ? text : text.substring(0, 160) + "…";
    }

    private void await(String word) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (lines(word).isEmpty()) {
            if (System.nanoTime() > end || !late.isAlive()) {
                throw new IllegalStateException(late + " did not come to say '" + word + "':\n  " + late.logTail());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private List<String> lines(String word) throws IOException {
        return Files.readAllLines(late.log()).stream()
                .filter(line -> line.startsWith(word + " "))
                .toList();
    }

    /** What the first line of a word says behind its time. */
    private String detail(String word) throws IOException {
        return lines(word).stream().findFirst().map(LateScene::behindTime).orElse("nothing");
    }

    private static String behindTime(String line) {
        return line.split(" ", 3)[2];
    }

    /** The first of a word that was said after the process was stopped: what comes before that took place before its pause. */
    private Optional<String> since(String mark, String word) throws IOException {
        long wokeAt = Long.parseLong(lines(mark).get(0).split(" ", 3)[1]) - TimeUnit.SECONDS.toNanos(1);
        return lines(word).stream()
                .filter(line -> Long.parseLong(line.split(" ", 3)[1]) >= wokeAt)
                .findFirst()
                .map(LateScene::behindTime);
    }
}
