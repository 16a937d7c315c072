package io.holdfast.client;

import io.holdfast.model.NodePath;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows what is read of a queue: its children are listened to, and each change of them has it read anew.
 *
 * <p>A read is linearizable and begins after the change was told, so it shows that change or something newer; if that has changed again,
 * the listening says so, and it is read again.
 *
 * <p><b>Thread:</b> any; told on the callback executor.
 *
 * <p><b>Invariants:</b> 1. At most one read at a time. 2. A state is told only if no change was told since its read began. 3. Nothing is
 * certain while the listening is not (R5.3).
 *
 * @param <V> what is read
 */
final class Following<V> implements WatchListener<List<String>>, Subscription {
    private final Supplier<CompletableFuture<V>> read;
    private final Telling<V> telling;

    // All guarded by this.
    /** Lists of children that were told so far. */
    private long changes;

    private boolean reading;
    private boolean over;
    /** Why the present list may be old; null if it is certain. */
    private @Nullable String doubt;

    private @Nullable V told;

    /** Null until it is there. */
    private @Nullable Subscription children;

    private Following(CallDesk desk, NodePath path, Supplier<CompletableFuture<V>> read, WatchListener<V> listener) {
        this.read = read;
        this.telling = new Telling<>(desk.callbacks, listener);
        Subscription listening = new NodeWatches(desk).listenChildren(path, this);
        synchronized (this) {
            children = listening;
            if (over) {
                stopListening();
            }
        }
    }

    static <V> Subscription children(
            CallDesk desk, NodePath path, Supplier<CompletableFuture<V>> read, WatchListener<V> listener) {
        return new Following<>(desk, path, read, listener);
    }

    @Override
    public void onState(List<String> names) {
        long change;
        synchronized (this) {
            change = ++changes;
            doubt = null;
            if (reading || over) {
                return;
            }
            reading = true;
        }
        readAt(change);
    }

    private void readAt(long change) {
        var unused = read.get().whenComplete((state, problem) -> wasRead(change, state, problem));
    }

    private void wasRead(long change, @Nullable V state, @Nullable Throwable problem) {
        long newest;
        synchronized (this) {
            newest = changes;
            if (over) {
                return;
            }
            if (state != null) {
                tell(state); // also when it was overtaken: or who changes fast enough would keep it from everybody
                if (change == newest) {
                    reading = false;
                    return;
                }
            }
            if (problem != null) {
                HoldfastException failure = failure(problem);
                over = isFinal(failure);
                if (over) {
                    telling.end(failure);
                    stopListening();
                    return;
                }
                telling.unsure(String.valueOf(failure.getMessage()));
            }
        }
        readAt(newest); // it failed after the call timeout, or was overtaken
    }

    private static HoldfastException failure(Throwable problem) {
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        return cause instanceof HoldfastException known
                ? known
                : new UnknownOutcomeException("a read ended with " + cause);
    }

    /** Whether another try would end alike. A read that nobody answered may be answered next time. */
    private static boolean isFinal(HoldfastException failure) {
        return !(failure instanceof UnreachableException);
    }

    private synchronized void tell(V state) {
        if (state.equals(told)) {
            telling.sureAgain();
        } else {
            told = state;
            telling.state(state);
        }
        if (doubt != null) {
            telling.unsure(doubt);
        }
    }

    @Override
    public synchronized void onUnsure(String reason) {
        doubt = reason;
        telling.unsure(reason);
    }

    @Override
    public synchronized void onSure() {
        doubt = null;
        if (!reading) {
            telling.sureAgain(); // else the read that is under way tells what holds now
        }
    }

    @Override
    public synchronized void onEnded(HoldfastException reason) {
        if (!over) {
            over = true;
            telling.end(reason);
        }
    }

    @Override
    public void close() {
        telling.close();
        synchronized (this) {
            over = true;
            stopListening();
        }
    }

    /** Called with this locked. */
    private void stopListening() {
        if (children != null) {
            children.close();
        }
    }
}
