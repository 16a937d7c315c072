package io.holdfast.client.loop;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.SessionAction;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who listens to which watch. Any thread; listeners are told on the loop's. */
final class WatchBook {
    private final Map<Long, WatchSink> listeners = new ConcurrentHashMap<>();

    void add(long id, WatchSink listener) {
        listeners.put(id, listener);
    }

    void remove(long id) {
        listeners.remove(id);
    }

    /** Tells whoever it is for; whether the action was about a watch. */
    boolean tell(SessionAction action) {
        if (action instanceof SessionAction.Observed observed) {
            WatchSink listener = listeners.get(observed.listenId());
            if (listener != null) {
                listener.observed(observed.answer());
            }
        } else if (action instanceof SessionAction.Unsure unsure) {
            WatchSink listener = listeners.get(unsure.listenId());
            if (listener != null) {
                listener.unsure(unsure.reason());
            }
        } else if (action instanceof SessionAction.SureAgain again) {
            WatchSink listener = listeners.get(again.listenId());
            if (listener != null) {
                listener.sureAgain();
            }
        } else if (action instanceof SessionAction.WatchFired fired) {
            WatchSink listener = listeners.remove(fired.callId());
            if (listener != null) {
                listener.fired(fired.revision());
            }
        } else if (action instanceof SessionAction.WatchEnded ended) {
            end(ended.id(), ended.failure());
        } else {
            return false;
        }
        return true;
    }

    private void end(long id, Failure failure) {
        @Nullable WatchSink listener = listeners.remove(id);
        if (listener != null) {
            listener.ended(failure);
        }
    }

    void endAll(Failure failure) {
        List.copyOf(listeners.keySet()).forEach(id -> end(id, failure));
    }

    int size() {
        return listeners.size();
    }
}
