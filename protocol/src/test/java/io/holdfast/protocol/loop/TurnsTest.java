package io.holdfast.protocol.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TurnsTest {
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger gone = new AtomicInteger();
    private final Semaphore done = new Semaphore(0);

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void whatWasAskedForInATurnComesWithTheNext() throws Exception {
        AtomicInteger posted = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        Turns[] turns = new Turns[1];
        turns[0] = new Turns(
                executor,
                () -> {
                    seen.set(posted.get());
                    if (posted.get() == 1) {
                        posted.set(2);
                        turns[0].ask();
                    }
                    done.release();
                    return Long.MAX_VALUE;
                },
                gone::incrementAndGet);
        posted.set(1);
        turns[0].ask(); // before the start: it comes with the first turn
        assertThat(done.tryAcquire()).isFalse();
        turns[0].start();
        done.acquire(2);
        assertThat(seen).hasValue(2);
    }

    @Test
    void manyAsksBeforeATurnBeginsShareIt() throws Exception {
        Turns turns = new Turns(
                executor,
                () -> {
                    done.release();
                    return Long.MAX_VALUE;
                },
                gone::incrementAndGet);
        turns.start();
        done.acquire();
        CountDownLatch held = new CountDownLatch(1);
        executor.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < 100; i++) {
            turns.ask();
        }
        held.countDown();
        done.acquire();
        executor.submit(() -> {}).get();
        assertThat(done.availablePermits()).isZero();
    }

    /** The first turn asks for one in an hour; a later one, sooner, must not be kept waiting by that timer. */
    @Test
    void aTurnThatIsDueComesAlsoIfALaterOneWasPlanned() throws Exception {
        AtomicLong next = new AtomicLong(3_600_000_000_000L);
        Turns turns = new Turns(
                executor,
                () -> {
                    done.release();
                    return next.getAndSet(Long.MAX_VALUE);
                },
                gone::incrementAndGet);
        turns.start();
        done.acquire();
        next.set(1);
        turns.ask();
        done.acquire(2); // the one asked for, and the one that this asked for
    }

    @Test
    void afterAStopThereIsNone() throws Exception {
        Turns turns = new Turns(
                executor,
                () -> {
                    done.release();
                    return 0;
                },
                gone::incrementAndGet);
        turns.start();
        done.acquire();
        executor.submit(turns::stop).get();
        done.drainPermits();
        turns.ask();
        executor.submit(() -> {}).get();
        assertThat(done.availablePermits()).isZero();
    }

    @Test
    void anExecutorThatIsGoneIsTold() {
        Turns turns = new Turns(executor, () -> 0, gone::incrementAndGet);
        executor.shutdownNow();
        turns.start();
        turns.ask();
        assertThat(gone).hasValue(1);
    }
}
