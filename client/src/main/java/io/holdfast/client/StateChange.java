package io.holdfast.client;

import io.holdfast.client.session.SessionState;

/**
 * The session came into a state.
 *
 * @param reason in words
 */
public record StateChange(SessionState state, String reason) {}
