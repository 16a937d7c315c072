package io.holdfast.simulation.process;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;

/** What an application does with what its client library tells it. Runs in the client's process. */
public interface ClientApp {
    /** The process has started and has a new session machine. */
    void started();

    void completed(long callId, Outcome outcome);

    void answered(long callId, Answer answer);

    /** As {@link #answered}, by its own cache. */
    default void answeredFromCache(long callId, Answer answer) {
        answered(callId, answer);
    }

    void granted(long callId, Hold hold);

    void failed(long callId, Failure failure);

    void stateChanged(SessionState state);

    void holdLost(Hold hold);

    /** What comes of a watch or a listening: one of the actions about those. */
    default void watched(SessionAction action) {}

    /** The process died; nothing of the above comes any more for what it had begun. */
    void died();
}
