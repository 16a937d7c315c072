package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import org.jspecify.annotations.Nullable;

/** A read or a one-shot on its way. Written by {@link Calls}. */
final class Call {
    /** Who wants to know; told once. */
    interface Owner {
        /** To a read; may be {@link Answer.Failed}. */
        void answered(Answer answer, long now);

        /** To a one-shot; may be {@link Outcome.Failed}. */
        void done(Outcome outcome, long now);

        void failed(Failure failure, long now);
    }

    /** Number on the wire. */
    final long id;

    final @Nullable Query query;
    final @Nullable Operation operation;
    /** Number of the watch that is registered with the answer, 0 for none. */
    final long watch;

    final Owner owner;
    Deadlines.@Nullable Key deadline;
    /** Where it waits after it was refused as BUSY, if it is for a shard. */
    Deadlines.@Nullable Key pause;

    int refusals;
    boolean onStream;
    /** When it was last sent. */
    long sentAt;
    /** Of the cell when it was answered; 0 before. */
    long revision;
    /** Refused once because the stream spoke for no session. */
    boolean refusedAsUnbound;
    /** The answer shall be cached, if it may be. */
    boolean cacheable;

    Call(long id, @Nullable Query query, @Nullable Operation operation, long watch, Owner owner) {
        this.id = id;
        this.query = query;
        this.operation = operation;
        this.watch = watch;
        this.owner = owner;
    }

    boolean isOneShot() {
        return operation != null;
    }

    /** Answered by the leader of a shard: what becomes of it says nothing of the cell that sessions belong to. */
    boolean isForShard() {
        return query instanceof Query.ShardStatus;
    }

    String words() {
        if (operation != null) {
            return Words.of(operation);
        }
        return query == null ? "" : Words.of(query);
    }
}
