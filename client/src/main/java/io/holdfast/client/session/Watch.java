package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.Query;
import org.jspecify.annotations.Nullable;

/** One watch, good for one event, and the read that it is registered with. Written by {@link Watches}. */
final class Watch {
    /** Who wants to know. After {@link #failed} or {@link #fired} nothing more is told. */
    interface Owner {
        /**
         * The read was answered, and the watch stands from that answer on.
         *
         * @param answer {@link Answer.Failed} only if there is no node
         */
        void answered(Answer answer, long now);

        /** There is something newer than what was seen; the watch is used up. */
        void fired(long revision, long now);

        /** The stream is gone; until {@link #armedAgain} or {@link #fired} nobody watches. Also told while the read is on its way. */
        void lapsed(String why);

        /** The watch stands again, and nothing was newer. */
        void armedAgain(long now);

        /** There will be no event. */
        void failed(Failure failure, long now);
    }

    enum Step {
        /** Its read is on its way. */
        ASKING,
        /** The leader has it. */
        ARMED,
        /** Its stream is gone; it is to be claimed on the next one. */
        LAPSED,
        /** Its claim is on its way. */
        CLAIMED,
        OVER
    }

    /** On the wire; never used twice in a session. */
    final long number;

    final Query query;
    final Owner owner;
    Step step = Step.ASKING;
    /** Up to this revision its owner knows what it covers. */
    long seenRevision;
    /** It fired before its read was answered (C55). */
    boolean firedEarly;

    @Nullable
    Call asking;

    Watch(long number, Query query, Owner owner) {
        Invariants.check(query instanceof Query.Watchable, "only some queries can be watched");
        this.number = number;
        this.query = query;
        this.owner = owner;
    }

    Query.Watchable target() {
        return (Query.Watchable) query;
    }

    boolean isArmed() {
        return step == Step.ARMED;
    }

    String words() {
        return "watch of " + target().path();
    }
}
