package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits that an interrupt does not cut short; it is set again at their end. */
final class Uninterrupted {
    private Uninterrupted() {}

    /** One wait. */
    private interface Wait<T> {
        T once(long leftNanos) throws InterruptedException, ExecutionException, TimeoutException;
    }

    static <T> T get(CompletableFuture<T> future) {
        try {
            return wait(Long.MAX_VALUE, left -> future.get());
        } catch (TimeoutException e) {
            throw new IllegalStateException("broken invariant: a wait without bound has ended", e);
        }
    }

    /** Null if it is not done in time. */
    static <T> @Nullable T get(CompletableFuture<T> future, long maxNanos) {
        try {
            return wait(maxNanos, left -> future.get(left, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return null;
        }
    }

    private static <T> T wait(long maxNanos, Wait<T> wait) throws TimeoutException {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.once(Math.max(0, maxNanos - (System.nanoTime() - start)));
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
