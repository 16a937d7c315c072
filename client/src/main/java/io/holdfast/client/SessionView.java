package io.holdfast.client;

import io.holdfast.client.session.SessionState;
import io.holdfast.model.SessionId;
import java.time.Duration;

/**
 * The client's session at one moment.
 *
 * @param lease as the cell granted it
 * @param remaining of the local lease; zero if nothing counts as held
 * @param epoch the leader's term when it was last heard of
 */
public record SessionView(SessionId id, SessionState state, Duration lease, Duration remaining, long epoch) {}
