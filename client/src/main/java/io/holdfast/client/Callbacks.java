package io.holdfast.client;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the application's code is called: its own executor, or a few daemon threads made when needed. Never the client's loop.
 *
 * <p><b>Thread:</b> any.
 */
final class Callbacks {
    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);
    private static final int MAX_THREADS = 16;
    private static final long IDLE_SECONDS = 2;
    private static final long CLOSE_MILLIS = 1_000;

    /** The callbacks whose task runs on this thread, so that closing from a callback does not wait for itself. */
    private static final ThreadLocal<Callbacks> RUNNING = new ThreadLocal<>();

    private final Executor executor;
    /** Where callbacks run if the application gave no executor, or gave one that refuses them. */
    private final ThreadPoolExecutor own = newPool();

    Callbacks(@Nullable Executor given) {
        this.executor = given == null ? own : given;
    }

    private static ThreadPoolExecutor newPool() {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                MAX_THREADS, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "holdfast-client-callback-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Runs it soon. If the application's executor does not take it, on a thread of the client's own; after the end of the client, or
     * where no thread can be started at all, on the calling thread.
     */
    void execute(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean(); // an executor may take a task and fail nevertheless
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                running(task);
            }
        };
        try {
            executor.execute(once);
        } catch (RuntimeException | Error e) { // also what an executor throws that cannot start a thread
            if (begun.get()) {
                return;
            }
            if (executor != own) {
                log.warn("the callback executor refused a callback; it runs on a thread of the client", e);
            }
            executeHere(once);
        }
    }

    private void executeHere(Runnable once) {
        try {
            own.execute(once);
        } catch (RejectedExecutionException closed) {
            once.run();
        } catch (Error noThread) {
            log.warn("no thread can be started for a callback; it runs on the calling thread", noThread);
            once.run();
        }
    }

    private void running(Runnable task) {
        Callbacks before = RUNNING.get();
        RUNNING.set(this);
        try {
            guarded(task);
        } finally {
            if (before == null) {
                RUNNING.remove();
            } else {
                RUNNING.set(before);
            }
        }
    }

    /** Runs the application's code; what it throws is logged. */
    void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("a callback of the application failed", e);
        }
    }

    /** Ends the threads made here; what is queued still runs, what runs for too long is interrupted. */
    void close() {
        own.shutdown();
        if (RUNNING.get() == this) {
            return; // called from a callback: its thread ends after it
        }
        try {
            if (!own.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                interruptAll();
            }
        } catch (InterruptedException e) {
            interruptAll();
            Thread.currentThread().interrupt();
        }
    }

    /** What nobody had a thread for still runs, or futures would never complete and listeners never hear of the end. */
    private void interruptAll() {
        List<Runnable> queued = own.shutdownNow();
        ThreadPoolExecutor last = newPool();
        queued.forEach(last::execute);
        last.shutdown();
    }
}
