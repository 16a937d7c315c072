package io.holdfast.chaos.ledger;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LockHold;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A process that takes a lock, prepares a write, and is stopped. When it goes on, it asks its library, tries the write, and makes a
 * call; it prints what comes of each, as {@code WORD NANOS DETAILS}.
 *
 * <p>Arguments: endpoints, URL of the database, the lock.
 */
public final class LateHolderMain {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Longer than any pause but that of a stopped process. */
    private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long LISTEN_MILLIS = 3_000;

    private LateHolderMain() {}

    private static synchronized void say(String word, Object details) {
        System.out.println(
                word + " " + System.nanoTime() + " " + String.valueOf(details).replace('\n', ' '));
    }

    public static void main(String[] args) throws InterruptedException, SQLException {
        try (HoldfastClient client = HoldfastClient.builder()
                        .withoutCache()
                        .endpoints(args[0])
                        .clientName("late")
                        .callTimeout(PATIENCE)
                        .build();
                Transfers transfers = new Transfers(args[1], true, "late")) {
            var unusedStates = client.onState(change -> say("state", change.state() + " " + change.reason()));
            LockHold hold = client.lock(args[2]).acquire(PATIENCE).orElseThrow();
            Grant grant = Grant.exclusive(args[2], hold.token().value());
            transfers.raise(grant);
            Transfers.Balances before = transfers.read(args[2], 0, 1);
            say("ready", grant);
            awaitPause();
            // The very first thing that an application does after its pause, whatever it is.
            boolean held = hold.isHeld();
            say("isHeld", held);
            say("now", client.state());
            call("ensureHeld", hold::ensureHeld);
            write(transfers, grant, before);
            call("put", () -> client.values().put("/ledger/late", "late".getBytes(StandardCharsets.UTF_8)));
            TimeUnit.MILLISECONDS.sleep(LISTEN_MILLIS);
            say("end", hold);
        }
        System.exit(0);
    }

    private static void awaitPause() throws InterruptedException {
        long last = System.nanoTime();
        while (true) {
            TimeUnit.MILLISECONDS.sleep(1);
            long now = System.nanoTime();
            if (now - last > STOPPED_NANOS) {
                return;
            }
            last = now;
        }
    }

    private static void call(String name, Runnable call) {
        try {
            call.run();
            say(name, "done");
        } catch (HoldfastException refused) {
            say(name, "refused: " + refused);
        }
    }

    private static void write(Transfers transfers, Grant grant, Transfers.Balances before) throws SQLException {
        try {
            transfers.write(grant, 0, 1, 1, before);
            say("write", "done");
        } catch (StaleTokenException stale) {
            transfers.rollBack();
            say("write", "refused: " + stale);
        }
    }
}
