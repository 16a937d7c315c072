package io.holdfast.chaos.ledger;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import io.holdfast.client.session.SessionState;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A process that moves money under locks until its input ends. It prints one line for each thing that happens: {@code done} for a
 * transfer that was committed, {@code stale} for one that the guard refused, {@code failed} for one of unknown fate.
 *
 * <p>Arguments: endpoints, URL of the database, whether to guard, its name.
 */
public final class WorkerMain {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final int TRANSFERS_PER_HOLD = 8;
    private static final long MAX_AMOUNT = 100;
    /**
     * Longest time between reading and writing: an application thinks. Of the time that a transfer takes on a busy machine it is a tenth
     * or more, so that one in ten stops comes here.
     */
    private static final long MAX_THINK_MILLIS = 60;

    private static final long PAUSE_MILLIS = 20;

    private final HoldfastClient client;
    private final String url;
    private final boolean guarded;
    private final String name;
    private final SplittableRandom random;

    private WorkerMain(String[] args) {
        this.url = args[1];
        this.guarded = Boolean.parseBoolean(args[2]);
        this.name = args[3];
        this.random = new SplittableRandom(name.hashCode());
        this.client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(args[0])
                .clientName(name)
                .callTimeout(WAIT)
                .build();
        var unused = client.onState(change -> {
            if (change.state() == SessionState.EXPIRED) {
                client.newSession();
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Thread input = new Thread(WorkerMain::awaitEndOfInput, "end-of-input");
        input.setDaemon(true);
        input.start();
        WorkerMain worker = new WorkerMain(args);
        while (input.isAlive()) {
            worker.work(input);
        }
        worker.client.close();
        System.exit(0);
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said; the end is the message.
            }
        } catch (IOException gone) {
            // So is the one who would say it.
        }
    }

    /** With one connection to the database, as long as that is good. */
    private void work(Thread input) throws InterruptedException {
        try (Transfers transfers = new Transfers(url, guarded, name)) {
            while (input.isAlive()) {
                try {
                    underLock(transfers);
                } catch (HoldfastException refused) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS); // held, in jeopardy, lost or unreachable
                } catch (StaleTokenException stale) {
                    System.out.println("stale " + stale.getMessage());
                    transfers.rollBack();
                }
            }
        } catch (SQLException broken) {
            System.out.println("failed " + broken.getMessage());
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private void underLock(Transfers transfers) throws InterruptedException, SQLException {
        String book = LedgerDatabase.book(random.nextInt(LedgerDatabase.BOOKS));
        Optional<LockHold> taken = client.lock(book).acquire(WAIT);
        if (taken.isEmpty()) {
            return;
        }
        try (LockHold hold = taken.get()) {
            Grant grant = Grant.exclusive(book, hold.token().value());
            transfers.raise(grant);
            for (int i = 0; i < TRANSFERS_PER_HOLD; i++) {
                hold.ensureHeld();
                int source = random.nextInt(LedgerDatabase.ACCOUNTS_PER_BOOK);
                int target = (source + 1 + random.nextInt(LedgerDatabase.ACCOUNTS_PER_BOOK - 1))
                        % LedgerDatabase.ACCOUNTS_PER_BOOK;
                Transfers.Balances before = transfers.read(book, source, target);
                TimeUnit.MILLISECONDS.sleep(random.nextLong(MAX_THINK_MILLIS + 1));
                transfers.write(grant, source, target, random.nextLong(1, MAX_AMOUNT), before);
                System.out.println("done");
            }
        }
    }
}
