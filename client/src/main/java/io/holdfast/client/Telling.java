package io.holdfast.client;

import io.holdfast.client.loop.WatchSink;
import io.holdfast.client.session.Failure;
import io.holdfast.model.Answer;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells one listener what a listening observes: one call after the other, the newest only, so that a slow listener keeps no
 * more than one state waiting.
 *
 * <p><b>Thread:</b> any; the sink's methods are called on the loop's.
 *
 * <p><b>Invariants:</b> 1. At most one call of the listener at a time. 2. What the listener was told last, once it is idle, is the
 * newest that was observed, with its certainty. 3. Nothing begins after {@link #close}.
 */
final class Telling<T> implements WatchSink {
    private final Callbacks callbacks;
    private final WatchListener<T> listener;
    private final Function<Answer, T> convert;

    // All guarded by this.
    private @Nullable T waiting;
    private boolean toldAny;
    private boolean toldSure;
    /** Why what was observed last may be old; null if it is certain. */
    private @Nullable String doubt;

    private @Nullable HoldfastException end;
    private boolean running;
    private boolean closed;

    Telling(Callbacks callbacks, WatchListener<T> listener, Function<Answer, T> convert) {
        this.callbacks = callbacks;
        this.listener = Objects.requireNonNull(listener, "listener");
        this.convert = convert;
    }

    /** For states that are not the answers of one listening. */
    Telling(Callbacks callbacks, WatchListener<T> listener) {
        this(callbacks, listener, answer -> {
            throw new IllegalStateException("broken invariant: this listens to no answers, but got " + answer);
        });
    }

    @Override
    public void observed(Answer answer) {
        state(convert.apply(answer));
    }

    void state(T state) {
        change(() -> {
            waiting = state;
            doubt = null;
        });
    }

    @Override
    public void unsure(String reason) {
        change(() -> doubt = reason);
    }

    @Override
    public void sureAgain() {
        change(() -> doubt = null);
    }

    @Override
    public void fired(long revision) {}

    @Override
    public void ended(Failure failure) {
        end(Failures.toException(failure));
    }

    void end(HoldfastException reason) {
        change(() -> end = reason);
    }

    synchronized void close() {
        closed = true;
        waiting = null;
    }

    private void change(Runnable change) {
        synchronized (this) {
            change.run();
            if (running || closed) {
                return;
            }
            running = true;
        }
        callbacks.execute(this::drain);
    }

    private void drain() {
        for (Runnable next = next(); next != null; next = next()) {
            callbacks.guarded(next);
        }
    }

    /** The next call that the listener is owed; null if there is none. */
    private synchronized @Nullable Runnable next() {
        Runnable next = closed ? null : owed();
        running = next != null;
        return next;
    }

    private @Nullable Runnable owed() {
        T state = waiting;
        String reason = doubt;
        HoldfastException ending = end;
        if (state != null) {
            waiting = null;
            toldAny = true;
            toldSure = true;
            return () -> listener.onState(state);
        }
        if (toldAny && toldSure && reason != null && ending == null) {
            toldSure = false;
            return () -> listener.onUnsure(reason);
        }
        if (toldAny && !toldSure && reason == null && ending == null) {
            toldSure = true;
            return listener::onSure;
        }
        if (ending != null) {
            closed = true;
            return () -> listener.onEnded(ending);
        }
        return null;
    }
}
