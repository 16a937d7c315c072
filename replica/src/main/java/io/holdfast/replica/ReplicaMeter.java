package io.holdfast.replica;

import io.holdfast.storage.CellId;

/**
 * Told by the loop how much was done and how long it took. Called in the midst of the work, several times for an entry: must
 * return at once and should make no garbage.
 *
 * <p>Durations are measured from turn to turn of the loop, so they include what a caller waited for the loop. The one
 * exception is what lies between {@link #applyBegins} and {@link #applyEnded}, which whoever listens measures: the loop
 * reads no clock.
 *
 * <p><b>Thread:</b> the loop calls.
 */
public interface ReplicaMeter {
    /** Measures nothing. */
    ReplicaMeter NONE = new ReplicaMeter() {};

    /** As leader: an entry of this many commands was applied so many nanoseconds after it was proposed. */
    default void committed(CellId cell, int commands, long nanos) {}

    /** As leader: commands that will never be in the log, and whose askers were told so. */
    default void refused(CellId cell, int commands) {}

    /** As leader: the lead was lost while these commands were on their way; another leader may commit them yet. */
    default void leftUnknown(CellId cell, int commands) {}

    /** An entry with commands is about to be applied. */
    default void applyBegins(CellId cell) {}

    /** It is applied. */
    default void applyEnded(CellId cell) {}

    /** As leader: a front end sent one frame with the KeepAlives of so many sessions, or of a single one (R3.5). */
    default void keepAliveBatch(CellId cell, int sessions) {}

    /** As leader: a KeepAlive was confirmed and moved its session's deadline, alone or in a batch (R3.5). */
    default void keepAliveConfirmed(CellId cell) {}

    /** As leader: a session ended because its lease ran out. */
    default void leaseRanOut(CellId cell) {}

    /** As leader: a session ended because an operator ended it, or a place that its client did not let go of (R3.6). */
    default void sessionEndedByOperator(CellId cell) {}

    /** As leader: a place is held, so many nanoseconds after the request for it arrived here. */
    default void lockAcquired(CellId cell, long nanos) {}

    /** As leader: a client that waited was told that a place of its is held; one for each release or end of a hold (N9). */
    default void grantTold(CellId cell) {}

    /** As leader: a client was told of so many watches that what they cover is newer (R5.1). */
    default void watchesFired(CellId cell, int watches) {}

    /** As leader: a read was answered after its leadership check (R2.6). */
    default void readAnswered(CellId cell) {}

    /** As leader: a session was told to let go of so many paths that it cached (R6.3). */
    default void invalidated(CellId cell, int paths) {}

    /** A snapshot of the state is durable, so many nanoseconds after the state was frozen for it. */
    default void snapshotWritten(CellId cell, long nanos) {}
}
