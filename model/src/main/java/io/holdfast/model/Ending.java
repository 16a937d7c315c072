package io.holdfast.model;

/** What an operator has the cell end from outside (R3.6, ADR 0010): a whole session, or one place of it. */
public sealed interface Ending {
    /** The session that is asked to let go. */
    SessionId session();

    /** {@code expire}: the session with all that it has. */
    record OfSession(SessionId session) implements Ending {}

    /** {@code break}: one place, held or waiting; the session lives on. */
    record OfPlace(SessionId session, NodePath place, FencingToken token) implements Ending {}
}
