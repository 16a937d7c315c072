package io.holdfast.client;

/**
 * What was read, and the watch that stands from exactly there on.
 *
 * @param <T> what was read
 */
public final class Watched<T> implements AutoCloseable {
    private final T state;
    private final Subscription watch;

    Watched(T state, Subscription watch) {
        this.state = state;
        this.watch = watch;
    }

    public T state() {
        return state;
    }

    /** Withdraws the watch, also at the cell. Idempotent; an event that has begun to be told may still end afterwards. */
    @Override
    public void close() {
        watch.close();
    }
}
