package io.holdfast.fencing;

import org.jspecify.annotations.Nullable;

/**
 * What {@link FencingGuard#guarded} runs. It should be short, and must not ask the same guard.
 *
 * @param <T> what it returns
 * @param <X> what it throws; {@link RuntimeException} if nothing checked
 */
@FunctionalInterface
public interface GuardedWrite<T extends @Nullable Object, X extends Exception> {
    T run() throws X;
}
