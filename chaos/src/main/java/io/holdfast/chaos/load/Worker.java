package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.CallInterruptedException;
import io.holdfast.client.ClientClosedException;
import io.holdfast.client.HoldfastException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A thread of a client process that does one kind of work over and over until told to finish.
 *
 * <p>Refusals and outages are what the run is about, so they are part of the work; any other exception is written down as
 * unexpected.
 */
abstract class Worker implements Runnable {
    /** After an unanswered or refused call, so that an outage does not become a storm. */
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 50;

    final HistoryWriter history;
    final SplittableRandom random;
    private volatile boolean finishing;

    Worker(HistoryWriter history, SplittableRandom random) {
        this.history = history;
        this.random = random;
    }

    /** One piece of work; bounded in time by the timeouts of its calls. */
    abstract void once() throws InterruptedException;

    /** Lets go of what is held; the last thing done. */
    void end() {}

    final boolean isFinishing() {
        return finishing;
    }

    final void finish() {
        finishing = true;
    }

    @Override
    public final void run() {
        while (!finishing) {
            try {
                once();
            } catch (InterruptedException | CallInterruptedException | ClientClosedException over) {
                break;
            } catch (HoldfastException refused) {
                if (!pause(PAUSE_AFTER_FAILURE_MILLIS)) {
                    break;
                }
            } catch (RuntimeException broken) {
                history.unexpected(getClass().getSimpleName() + ": " + broken);
                pause(PAUSE_AFTER_FAILURE_MILLIS);
            }
        }
        try {
            end();
        } catch (HoldfastException refused) {
            // The lease will do it.
        }
    }

    /** Whether it may go on. */
    static boolean pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** From inclusive, to exclusive. */
    final long between(long from, long to) {
        return random.nextLong(from, to);
    }

    final boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
