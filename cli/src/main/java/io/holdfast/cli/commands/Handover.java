package io.holdfast.cli.commands;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands over from a listener to the thread that prints, one thing at a time: the listener waits until it was taken. So whoever
 * prints slowly slows the listener down, and the client library keeps the newest state for it instead of all of them (R8.4).
 *
 * <p><b>Thread:</b> one gives, one takes, any closes.
 */
final class Handover<T> implements AutoCloseable {
    // Guarded by this.
    private @Nullable T given;
    private boolean closed;

    /** Blocks until it is taken; nothing happens to it after {@link #close}. */
    synchronized void give(T next) {
        given = closed ? null : next;
        notifyAll();
        try {
            while (given != null) {
                wait();
            }
        } catch (InterruptedException ending) {
            given = null;
            Thread.currentThread().interrupt();
        }
    }

    /** What is given next; null if nothing is within the time. */
    synchronized @Nullable T take(long timeoutNanos) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (given == null) {
            long left = timeoutNanos - (System.nanoTime() - startNanos);
            if (left <= 0) {
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        T taken = given;
        given = null;
        notifyAll();
        return taken;
    }

    /** Nobody takes any more: whoever gives goes on at once. */
    @Override
    public synchronized void close() {
        closed = true;
        given = null;
        notifyAll();
    }
}
