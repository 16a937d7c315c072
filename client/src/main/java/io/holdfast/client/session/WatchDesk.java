package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Query;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who in the application watches what: single watches and listenings, by the ids that the driver chose.
 *
 * <p><b>Thread:</b> the machine's. <b>Source:</b> R5.1, ADR 0009.
 */
final class WatchDesk {
    private final Listening.Tools tools;
    private final Outbox outbox;
    private final Watches watches;
    private final TreeMap<Long, Single> singles = new TreeMap<>();
    private final TreeMap<Long, Listening> listenings = new TreeMap<>();

    WatchDesk(Trust trust, Outbox outbox, Calls calls, Watches watches) {
        this.tools = new Listening.Tools(trust, outbox, watches, calls);
        this.outbox = outbox;
        this.watches = watches;
    }

    void watch(SessionEvent.Watch event, long now) {
        if (isFull()) {
            outbox.add(new SessionAction.Fail(event.callId(), full(event.query())));
            return;
        }
        Single single = new Single(event.callId());
        singles.put(single.id, single);
        single.watch = watches.ask(event.query(), Deadlines.after(now, event.timeoutNanos()), single);
    }

    private boolean isFull() {
        return size() >= Limits.MAX_WATCHES_PER_SESSION;
    }

    private static Failure full(Query query) {
        return Failure.refused(
                ErrorCode.LIMIT,
                Words.of(query),
                Limits.MAX_WATCHES_PER_SESSION + " watches of this session are open, which is the limit");
    }

    void listen(SessionEvent.Listen event) {
        if (isFull()) {
            outbox.add(new SessionAction.WatchEnded(event.listenId(), full(event.query())));
            return;
        }
        long id = event.listenId();
        Listening listening = new Listening(event, tools, () -> listenings.remove(id));
        listenings.put(id, listening);
        listening.ask();
    }

    /** Nobody wants to hear of it any more; nothing is told. Nothing if it is over. */
    void unwatch(long id) {
        Single single = singles.remove(id);
        if (single != null && single.watch != null) {
            watches.withdraw(single.watch);
        }
        Listening listening = listenings.remove(id);
        if (listening != null) {
            listening.stop();
        }
    }

    /** The caller no longer waits for a watch's first answer; whether there was such a call. */
    boolean cancel(long callId) {
        Single single = singles.get(callId);
        if (single == null || single.answered) {
            return false;
        }
        unwatch(callId);
        String words = single.watch == null ? "watch" : single.watch.words();
        outbox.add(new SessionAction.Fail(callId, Failure.cancelled(true, words)));
        return true;
    }

    /** A watch that the application arms by itself. */
    private final class Single implements Watch.Owner {
        final long id;

        @Nullable
        Watch watch;

        boolean answered;

        Single(long id) {
            this.id = id;
        }

        @Override
        public void answered(Answer answer, long now) {
            answered = true;
            outbox.add(new SessionAction.Watching(id, answer, watch == null ? 0 : watch.seenRevision));
        }

        @Override
        public void fired(long revision, long now) {
            singles.remove(id);
            outbox.add(new SessionAction.WatchFired(id, revision));
        }

        @Override
        public void lapsed(String why) {}

        @Override
        public void armedAgain(long now) {}

        @Override
        public void failed(Failure failure, long now) {
            singles.remove(id);
            outbox.add(answered ? new SessionAction.WatchEnded(id, failure) : new SessionAction.Fail(id, failure));
        }
    }

    /** The session is in jeopardy: what was told may be old. */
    void jeopardy(String why) {
        listenings.values().forEach(listening -> listening.unsure(why));
    }

    /** The session is SAFE again. */
    void safeAgain(long now) {
        listenings.values().forEach(listening -> listening.safeAgain(now));
    }

    int size() {
        return singles.size() + listenings.size();
    }
}
