package io.holdfast.client.loop;

import io.holdfast.client.session.Hold;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.client.session.SessionState;
import java.util.List;

/** What happens to a client's sessions, in order, on the loop's thread, which it must not keep. */
public interface SessionListener {
    void stateChanged(SessionState state, String reason);

    void holdLost(Hold hold, String reason);

    void leaseLost(LeasedHold hold, String reason);

    /**
     * Runs {@code returned}, on any thread, when everybody has returned who was told before this that one of these holds is lost.
     *
     * @param session whether also those are waited for who were told of a state
     */
    void whenTold(List<Hold> holds, boolean session, Runnable returned);
}
