package io.holdfast.client.loop;

import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionState;

/** What happens to a client's sessions, in order, on the loop's thread, which it must not keep. */
public interface SessionListener {
    void stateChanged(SessionState state, String reason);

    void holdLost(Hold hold, String reason);

    /** Runs {@code returned}, on any thread, when everybody has returned who was told of anything of the above before this. */
    void whenTold(Runnable returned);
}
