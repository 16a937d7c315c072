package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The story that a fencing token is for (scenario C05). The balance is 100. The old holder reads it, prepares to write 70 (it
 * pays 30), and stands still; its lease ends. The new holder raises the guard, reads, pays in 50. Only then does the old holder's
 * prepared write arrive. Latches force this order.
 */
public final class LedgerScenario {
    public static final String LOCK = "/ledger";
    private static final Grant OLD = Grant.exclusive(LOCK, 33);
    private static final Grant NEW = Grant.exclusive(LOCK, 34);

    private final Ledger ledger;
    private final CountDownLatch prepared = new CountDownLatch(1);
    private final CountDownLatch successorDone = new CountDownLatch(1);

    private LedgerScenario(Ledger ledger) {
        this.ledger = ledger;
    }

    /** With a guard: the late write is refused, and the 50 are there. */
    public static void guarded(Ledger ledger) throws Exception {
        StaleTokenException refused = new LedgerScenario(ledger).run().orElseThrow();
        assertThat(refused.lock()).isEqualTo(new LockName(LOCK));
        assertThat(refused.token()).isEqualTo(new FencingToken(33));
        assertThat(refused.accepted()).isEqualTo(new FencingToken(34));
        assertThat(ledger.balance()).isEqualTo(150);
    }

    /** Without: all writes succeed, and the 50 are gone. If this fails, the scenario no longer bites. */
    public static void unguarded(Ledger ledger) throws Exception {
        assertThat(new LedgerScenario(ledger).run()).isEmpty();
        assertThat(ledger.balance()).as("the corruption").isEqualTo(70);
    }

    /** What the old holder's late write was refused with, if it was. */
    private Optional<StaleTokenException> run() throws Exception {
        ledger.raise(OLD);
        ledger.write(OLD, 100);
        ExecutorService oldHolder = Executors.newSingleThreadExecutor();
        try {
            Future<Optional<StaleTokenException>> late = oldHolder.submit(this::payOutLate);
            prepared.await();
            ledger.raise(NEW);
            ledger.write(NEW, ledger.balance() + 50);
            assertThat(ledger.balance()).isEqualTo(150);
            successorDone.countDown();
            return late.get();
        } finally {
            successorDone.countDown();
            oldHolder.shutdown();
        }
    }

    private Optional<StaleTokenException> payOutLate() throws Exception {
        long left;
        try {
            left = ledger.balance() - 30;
        } finally {
            prepared.countDown();
        }
        successorDone.await();
        try {
            ledger.write(OLD, left);
            return Optional.empty();
        } catch (StaleTokenException e) {
            return Optional.of(e);
        }
    }
}
