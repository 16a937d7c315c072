package io.holdfast.chaos.ledger;

import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.model.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stops workers and kills leaders until told to end. <b>Thread:</b> any. */
final class Attack {
    private final ShowCell cell;
    private final CellView view;
    private final List<Thread> threads = new ArrayList<>();
    private int freezes;
    private int kills;
    private volatile @Nullable RuntimeException failure;

    Attack(ShowCell cell, CellView view, Workers workers, Duration freeze, int freezers, Duration betweenKills) {
        this.cell = cell;
        this.view = view;
        for (int i = 0; i < freezers; i++) {
            int number = i;
            start(() -> {
                Thread.sleep(3_000 + number * freeze.toMillis() / freezers);
                while (true) {
                    boolean stopped = workers.freezeOne(freeze);
                    count(stopped);
                    Thread.sleep(1_000);
                }
            });
        }
        start(() -> {
            while (true) {
                Thread.sleep(betweenKills.toMillis());
                killLeader();
            }
        });
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException ended) {
                        // That is how it ends.
                    } catch (RuntimeException broken) {
                        failure = broken;
                    }
                },
                "ledger-attack");
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private synchronized void count(boolean stopped) {
        freezes += stopped ? 1 : 0;
    }

    private void killLeader() throws InterruptedException {
        Optional<Answer.Status> status = view.await(CellView::isWhole, Duration.ofSeconds(5));
        if (status.isPresent()) {
            ReplicaProcess leader = cell.replica(String.valueOf(status.get().leader()));
            ManagedProcess.killAll(List.of(leader));
            synchronized (this) {
                kills++;
            }
            Thread.sleep(2_000);
            leader.ensureRunning();
        }
    }

    /** Workers that were stopped, and now go on. */
    synchronized int freezes() {
        return freezes;
    }

    synchronized int kills() {
        return kills;
    }

    void requireRunning() {
        RuntimeException broken = failure;
        if (broken != null) {
            throw broken;
        }
    }

    /** Returns when nobody is stopped any more; repeating it does nothing. */
    void end() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
