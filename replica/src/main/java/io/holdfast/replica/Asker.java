package io.holdfast.replica;

/**
 * Who waits for the outcome of a command.
 *
 * @param id request id, call id or send number, by {@code kind}
 */
record Asker(ClientStream stream, Kind kind, long id) {
    enum Kind {
        /** A request of a session or without one: answered by a reply under its id. */
        CALL,
        /** An open: answered by its send number. */
        OPEN,
        /** A call about a leased lock: {@link LeaseDesk} answers, under its id. */
        LEASE
    }

    /** The id to name in a refusal. */
    long refusalId() {
        return kind == Kind.OPEN ? 0 : id;
    }
}
