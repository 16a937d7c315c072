package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session's watches: asked for with their reads, claimed again on every new stream, withdrawn when nobody wants them.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. The leader has a watch on the present stream only if it is here or on its way to be dropped: nothing is
 * left behind. 2. A watch whose stream is gone counts for nothing until its claim is answered; silence proves nothing (C49).
 * 3. One page is on its way at a time, and no reply that could be newer than a lapsed watch is asked for before (R5.2):
 * {@link #mustClaimFirst}.
 *
 * <p><b>Source:</b> R5.1–R5.4, ADR 0009.
 */
final class Watches {
    private static final int MAX_PAGE_ENTRIES = Limits.MAX_PAGE_ENTRIES;

    private final Outbox outbox;
    private final Connection connection;
    private final Calls calls;
    private final TreeMap<Long, Watch> open = new TreeMap<>();
    private final TreeMap<Long, Watch> lapsed = new TreeMap<>();
    /** The leader may have these on the present stream, and nobody wants them. */
    private final TreeSet<Long> toDrop = new TreeSet<>();

    private @Nullable Page page;
    private long lastNumber;
    private long pausedUntil = Long.MIN_VALUE;
    private int refusals;

    /** A frame of claims that is not answered yet. */
    private record Page(long id, List<Watch> claims, List<Long> drops, long sentAt) {}

    Watches(Outbox outbox, Connection connection, Calls calls) {
        this.outbox = outbox;
        this.connection = connection;
        this.calls = calls;
    }

    /** Reads, and watches what was read. */
    Watch ask(Query query, long deadlineNanos, Watch.Owner owner) {
        Watch watch = new Watch(++lastNumber, query, owner);
        open.put(watch.number, watch);
        watch.asking = calls.watchedRead(query, watch.number, deadlineNanos, new Asking(watch));
        return watch;
    }

    /** The answer to a watch's read. */
    private final class Asking implements Call.Owner {
        private final Watch watch;

        Asking(Watch watch) {
            this.watch = watch;
        }

        @Override
        public void answered(Answer answer, long now) {
            long revision = watch.asking == null ? 0 : watch.asking.revision;
            watch.asking = null;
            if (answer instanceof Answer.Failed failed && failed.code() != ErrorCode.NOT_FOUND) {
                fail(watch, Failure.refused(failed.code(), watch.words(), failed.message()), now);
                return;
            }
            watch.step = Watch.Step.ARMED;
            watch.seenRevision = revision;
            watch.owner.answered(answer, now);
            if (watch.firedEarly && watch.isArmed()) {
                fire(watch, revision, now);
            }
        }

        @Override
        public void done(Outcome outcome, long now) {}

        @Override
        public void failed(Failure failure, long now) {
            watch.asking = null;
            fail(watch, failure, now);
        }
    }

    private void fail(Watch watch, Failure failure, long now) {
        toDrop.add(watch.number); // its read may have been carried out
        over(watch);
        watch.owner.failed(failure, now);
    }

    private void over(Watch watch) {
        watch.step = Watch.Step.OVER;
        open.remove(watch.number);
        lapsed.remove(watch.number);
    }

    /** Nobody wants it any more, nobody is told. */
    void withdraw(Watch watch) {
        boolean leaderMayHave = watch.step != Watch.Step.LAPSED && watch.step != Watch.Step.OVER;
        if (leaderMayHave) {
            toDrop.add(watch.number);
        }
        if (watch.asking != null) {
            calls.drop(watch.asking);
            watch.asking = null;
        }
        over(watch);
    }

    // ---- what the cell says

    void fired(List<Long> numbers, long revision, long now) {
        for (long number : numbers) {
            toDrop.remove(number);
            Watch watch = open.get(number);
            if (watch == null) {
                continue; // withdrawn
            }
            if (watch.step == Watch.Step.ASKING) {
                watch.firedEarly = true; // C55: kept until its read is answered
            } else {
                fire(watch, revision, now);
            }
        }
    }

    private void fire(Watch watch, long revision, long now) {
        over(watch);
        watch.owner.fired(revision, now);
    }

    boolean isPage(long id) {
        return page != null && page.id() == id;
    }

    /** The page is answered: what has not fired stands, and nothing was newer up to this revision (R5.3). */
    void watched(long id, long revision, long now) {
        Page answered = page;
        if (answered == null || answered.id() != id) {
            return;
        }
        page = null;
        refusals = 0;
        for (Watch watch : answered.claims()) {
            if (watch.step == Watch.Step.CLAIMED) {
                watch.step = Watch.Step.ARMED;
                watch.seenRevision = Math.max(watch.seenRevision, revision);
                watch.owner.armedAgain(now);
            }
        }
    }

    /** The page was not taken. */
    void pageRefused(ErrorCode code, boolean definite, String message, long now) {
        Page refused = page;
        if (refused == null) {
            return;
        }
        boolean unbound = code == ErrorCode.FORBIDDEN || code == ErrorCode.REPLACED;
        if (!definite || unbound || Requests.isPassing(code)) {
            takeBack(refused);
            pausedUntil = now + connection.jittered(refusals++);
            return;
        }
        page = null;
        for (Watch watch : refused.claims()) {
            if (watch.step == Watch.Step.CLAIMED) {
                over(watch);
                watch.owner.failed(Failure.refused(code, watch.words(), message), now);
            }
        }
    }

    private void takeBack(Page unanswered) {
        page = null;
        toDrop.addAll(unanswered.drops());
        for (Watch watch : unanswered.claims()) {
            if (watch.step == Watch.Step.CLAIMED) {
                watch.step = Watch.Step.LAPSED;
                lapsed.put(watch.number, watch);
            }
        }
    }

    /** The stream, or the way behind it, broke, and with it went what was registered on it. */
    void interrupted(String why) {
        if (page != null) {
            takeBack(page);
        }
        toDrop.clear();
        pausedUntil = Long.MIN_VALUE;
        for (Watch watch : List.copyOf(open.values())) {
            if (watch.isArmed()) {
                watch.step = Watch.Step.LAPSED;
                lapsed.put(watch.number, watch);
            }
            watch.owner.lapsed(why);
        }
    }

    /** The session is over, or will not be: nobody watches any more. Tells every owner. */
    void end(Function<String, Failure> failure, long now) {
        List<Watch> all = List.copyOf(open.values());
        page = null;
        all.forEach(this::withdraw);
        toDrop.clear();
        all.forEach(watch -> watch.owner.failed(failure.apply(watch.words()), now));
    }

    // ---- what goes out

    /** Sends the next page, if it is time. Called only while the stream speaks for the session and the session is SAFE. */
    void flush(long now) {
        if (page != null || now < pausedUntil || (lapsed.isEmpty() && toDrop.isEmpty())) {
            return;
        }
        List<Watch> claims = new ArrayList<>();
        List<ClientFrame.WatchClaim> frames = new ArrayList<>();
        int bytes = 0;
        for (Iterator<Watch> each = lapsed.values().iterator(); each.hasNext(); ) {
            Watch watch = each.next();
            Query.Watchable target = watch.target();
            bytes += 3 * target.path().value().length();
            if (claims.size() == MAX_PAGE_ENTRIES || (!claims.isEmpty() && bytes > Limits.MAX_WATCH_PAGE_BYTES)) {
                break; // R8.4, C53
            }
            each.remove();
            watch.step = Watch.Step.CLAIMED;
            claims.add(watch);
            frames.add(new ClientFrame.WatchClaim(watch.number, target.watchKind(), target.path(), watch.seenRevision));
        }
        List<Long> drops = new ArrayList<>();
        while (drops.size() < MAX_PAGE_ENTRIES && !toDrop.isEmpty()) {
            drops.add(toDrop.pollFirst());
        }
        page = new Page(calls.nextId(), claims, drops, now);
        outbox.send(new ClientFrame.Watch(page.id(), frames, drops));
    }

    /** Whether replies could show something newer than a watch that is not claimed yet (R5.2). */
    boolean mustClaimFirst() {
        return !lapsed.isEmpty() || (page != null && !page.claims().isEmpty());
    }

    boolean hasOnStream() {
        return page != null;
    }

    long oldestSentAt() {
        return page == null ? Deadlines.NEVER : page.sentAt();
    }

    long resumesAt(long now) {
        return now < pausedUntil ? pausedUntil : Deadlines.NEVER;
    }

    /** Watches that somebody waits for. */
    int size() {
        return open.size();
    }
}
