package io.holdfast.replica;

/**
 * Runs what may block (reading and writing snapshot files) off the loop.
 *
 * <p>Real: one background thread, in order. Simulation: later in virtual time, in order.
 */
@FunctionalInterface
public interface Worker {
    /** Runs {@code task} some time later on another thread; its result comes back through the loop's mailbox. */
    void submit(Runnable task);
}
