package io.holdfast.client;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Runs tasks one after the other on the callbacks' executor: a slow one delays only what is behind it here. */
final class Sequencer {
    private final Callbacks callbacks;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;

    Sequencer(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    void execute(Runnable task) {
        synchronized (this) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        callbacks.execute(this::drain);
    }

    private void drain() {
        for (Runnable task = next(); task != null; task = next()) {
            callbacks.guarded(task);
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable task = tasks.poll();
        running = task != null;
        return task;
    }
}
