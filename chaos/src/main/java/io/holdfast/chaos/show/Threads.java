package io.holdfast.chaos.show;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads that work for a while and then end by themselves. <b>Thread:</b> one. */
public final class Threads {
    private final String prefix;
    private final List<Thread> started = new ArrayList<>();

    public Threads(String prefix) {
        this.prefix = prefix;
    }

    public void start(String name, Runnable task) {
        Thread thread = new Thread(task, prefix + "-" + name);
        thread.setDaemon(true);
        thread.start();
        started.add(thread);
    }

    /** @throws IllegalStateException if one of them does not end in time */
    public void join(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (Thread thread : started) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            if (thread.isAlive()) {
                throw new IllegalStateException("thread " + thread.getName() + " did not end");
            }
        }
    }
}
