package io.holdfast.client.session;

import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import org.jspecify.annotations.Nullable;

/** A change under the session on its way: its id, and what is known of its fate. Written by {@link Requests}. */
final class Request {
    /** Who wants to know; told once. */
    interface Owner {
        /** The cell answered; the outcome may be {@link Outcome.Failed}. */
        void done(Outcome outcome, long now);

        void failed(Failure failure, long now);
    }

    final Operation operation;
    final Owner owner;
    /** Order of arrival. */
    final long sequence;
    /** Under which it is in the queue of deadlines. */
    Deadlines.@Nullable Key deadline;
    /** Request id (R2.7); 0 until it is first sent. */
    long id;
    /** Sent on the present stream and not answered there. */
    boolean onStream;
    /** When it was last sent. */
    long sentAt;
    /** An earlier send may have been applied, nobody knows. */
    boolean fateOpen;
    /** Refused once because the stream spoke for no session. */
    boolean refusedAsUnbound;
    /** Its owner gave up; its Cancel settles it. */
    boolean abandoned;

    Request(Operation operation, long sequence, Owner owner) {
        this.operation = operation;
        this.sequence = sequence;
        this.owner = owner;
    }

    boolean mayHaveApplied() {
        return onStream || fateOpen;
    }

    /** Clean-up is retried until it is answered or the session ends, and never cancelled itself (R4.4). */
    boolean isCleanUp() {
        return operation instanceof Operation.Cancel
                || operation instanceof Operation.Release
                || operation instanceof Operation.CloseSession;
    }

    /** Nobody knows whether it was done. An acquire is not: the Cancel that follows removes what it made (R4.4). */
    Failure unknown(String why) {
        return operation instanceof Operation.Acquire
                ? Failure.notAcquired(words(), why)
                : Failure.unknown(words(), why);
    }

    String words() {
        return Words.of(operation);
    }
}
