package io.holdfast.client;

/** Told of every change of the session's state, in order; first of the present state. */
@FunctionalInterface
public interface StateListener {
    void stateChanged(StateChange change);
}
