package io.holdfast.client;

import io.holdfast.client.loop.WatchSink;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.Query;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A watch for one event, from its call on. The event is told after the answer was handed over, never before.
 *
 * <p><b>Thread:</b> any.
 */
final class SingleWatch<T> extends CallKind<Watched<T>> implements WatchSink, Subscription {
    private final CallDesk desk;
    private final Query query;
    private final Function<Answer, T> convert;
    private final Consumer<WatchEvent> watcher;
    /** Written before the call begins. */
    private volatile long id;
    // Guarded by this.
    private @Nullable WatchEvent event;
    private boolean handedOver;
    private boolean closed;

    SingleWatch(CallDesk desk, Query query, Function<Answer, T> convert, Consumer<WatchEvent> watcher) {
        this.desk = desk;
        this.query = query;
        this.convert = convert;
        this.watcher = Objects.requireNonNull(watcher, "watcher");
    }

    CallDesk.Start start() {
        return listener -> desk.loop.watch(this::begin, listener, this);
    }

    private SessionEvent begin(long callId) {
        id = callId;
        return new SessionEvent.Watch(callId, query, desk.timeoutNanos());
    }

    // ---- the answer

    @Override
    Watched<T> of(Object result) {
        return new Watched<>(convert.apply((Answer) result), this);
    }

    @Override
    void handingOver(Watched<T> value) {
        synchronized (this) {
            handedOver = true;
        }
        tellIfDue();
    }

    @Override
    void giveBack(Watched<T> value) {
        close();
    }

    // ---- the event

    private String path() {
        return ((Query.Watchable) query).path().value();
    }

    @Override
    public void fired(long revision) {
        came(new WatchEvent(path(), WatchEvent.Type.NEWER, revision, null));
    }

    @Override
    public void ended(Failure failure) {
        came(new WatchEvent(path(), WatchEvent.Type.ENDED, 0, Failures.toException(failure)));
    }

    private void came(WatchEvent what) {
        synchronized (this) {
            event = what;
        }
        tellIfDue();
    }

    private void tellIfDue() {
        WatchEvent due;
        synchronized (this) {
            due = handedOver && !closed ? event : null;
            closed |= due != null;
        }
        if (due != null) {
            desk.callbacks.execute(() -> watcher.accept(due));
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        desk.loop.unwatch(id);
    }

    @Override
    public void observed(Answer answer) {}

    @Override
    public void unsure(String reason) {}

    @Override
    public void sureAgain() {}
}
