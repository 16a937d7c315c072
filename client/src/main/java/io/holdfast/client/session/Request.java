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

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long MAX_ANSWER_NANOS = 1_000_000_000L;

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
    /** The leader has said that it waits there for others' caches (R6.3). Of the present send. */
    boolean held;
    /** Its owner gave up; its Cancel settles it. */
    boolean abandoned;

    Request(Operation operation, long sequence, Owner owner) {
        this.operation = operation;
        this.sequence = sequence;
        this.owner = owner;
    }

    /**
     * How long a write may wait at the leader for others' caches: less than is left, so that the answer comes in time (R6.3). 0
     * without a bound.
     */
    static long waitMillis(Deadlines.@Nullable Key deadline, long now) {
        if (deadline == null) {
            return 0;
        }
        long left = Math.max(0, deadline.atNanos() - now);
        long forTheAnswer = Math.min(left / 4, MAX_ANSWER_NANOS);
        return Math.max(1, (left - forTheAnswer) / NANOS_PER_MILLI);
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
