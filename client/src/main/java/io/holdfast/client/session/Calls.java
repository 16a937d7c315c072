package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What needs no session: reads, repeated until answered or out of time, and one-shots, never repeated once sent (R2.7).
 *
 * <p><b>Thread:</b> the machine's.
 */
final class Calls {
    /** Above all request ids, since replies to requests and one-shots share one number. */
    private static final long FIRST_ID = 1L << 48;

    private final Outbox outbox;
    private final Connection connection;
    private final TreeMap<Long, Call> open = new TreeMap<>();
    private final TreeMap<Long, Call> toSend = new TreeMap<>();
    /** Those with a watch, which need a stream that speaks for the session. */
    private final TreeMap<Long, Call> toSendBound = new TreeMap<>();

    /** Reads of shards that were refused as BUSY; each waits for itself. */
    private final Deadlines<Call> pausing = new Deadlines<>();

    private final Deadlines<Call> deadlines = new Deadlines<>();
    private long nextId = FIRST_ID;
    private int readsOnStream;
    private int oneShotsOnStream;
    private long pausedUntil = Long.MIN_VALUE;
    private int refusals;

    Calls(Outbox outbox, Connection connection) {
        this.outbox = outbox;
        this.connection = connection;
    }

    static boolean owns(long wireId) {
        return wireId >= FIRST_ID;
    }

    Call read(Query query, long deadlineNanos, Call.Owner owner) {
        return add(new Call(nextId(), query, null, 0, owner), deadlineNanos);
    }

    /** A read with which a watch is registered; sent only on a stream that speaks for the session. */
    Call watchedRead(Query query, long watch, long deadlineNanos, Call.Owner owner) {
        return add(new Call(nextId(), query, null, watch, owner), deadlineNanos);
    }

    Call oneShot(Operation operation, long deadlineNanos, Call.Owner owner) {
        return add(new Call(nextId(), null, operation, 0, owner), deadlineNanos);
    }

    /** For whatever shares the numbers of calls on the wire. */
    long nextId() {
        return nextId++;
    }

    private Call add(Call call, long deadlineNanos) {
        call.deadline = deadlines.add(deadlineNanos, call);
        open.put(call.id, call);
        queue(call);
        return call;
    }

    private void queue(Call call) {
        (call.watch == 0 ? toSend : toSendBound).put(call.id, call);
    }

    /**
     * Sends what may go now. Called only while the stream is open.
     *
     * @param bound whether it speaks for the session
     */
    void flush(long now, boolean bound) {
        for (Call due = pausing.pollDue(now); due != null; due = pausing.pollDue(now)) {
            due.pause = null;
            send(due, now);
        }
        if (now < pausedUntil) {
            return;
        }
        while (bound && !toSendBound.isEmpty()) {
            send(toSendBound.pollFirstEntry().getValue(), now);
        }
        while (!toSend.isEmpty()) {
            send(toSend.pollFirstEntry().getValue(), now);
        }
    }

    private void send(Call call, long now) {
        call.onStream = true;
        call.sentAt = now;
        if (call.operation != null) {
            oneShotsOnStream++;
            long waitMillis = Request.waitMillis(call.deadline, now);
            outbox.send(new ClientFrame.OneShot(call.id, call.operation, waitMillis));
        } else if (call.query != null) {
            readsOnStream += call.isForShard() ? 0 : 1;
            outbox.send(new ClientFrame.Read(call.id, call.query, call.watch, call.cacheable));
        }
    }

    void answered(long id, Answer answer, long revision, long now) {
        Call call = open.get(id);
        // Only the repeated read counts. What a read registered before the binding was lost goes with the next attach
        // (R5.3). One that was on its way then may be answered by the next leader before that knows our watches (R5.2).
        boolean overtaken = call != null && !call.onStream;
        if (call != null && !call.isOneShot() && !overtaken) {
            refusals = 0;
            call.revision = revision;
            remove(call);
            call.owner.answered(answer, now);
        }
    }

    void reply(long id, Outcome outcome, long now) {
        Call call = open.get(id);
        if (call != null && call.isOneShot()) {
            refusals = 0;
            remove(call);
            call.owner.done(outcome, now);
        }
    }

    /**
     * A read with a watch was refused because the stream was not bound; it will be repeated once it is.
     *
     * @return false if it is no such read, or if that was so before already: then it is refused for good
     */
    boolean repeatOnceBound(long id) {
        Call call = open.get(id);
        if (call == null || call.watch == 0 || !call.onStream || call.refusedAsUnbound) {
            return false;
        }
        call.refusedAsUnbound = true;
        leftStream(call);
        queue(call);
        return true;
    }

    void refused(long id, ErrorCode code, boolean definite, String message, long now) {
        Call call = open.get(id);
        if (call == null || !call.onStream) {
            return;
        }
        leftStream(call);
        if (call.isForShard() && code == ErrorCode.BUSY) {
            call.pause = pausing.add(now + connection.jittered(call.refusals++), call);
            return;
        }
        if (call.isForShard()) {
            fail(call, Failure.refused(code, call.words(), message), now); // others must not wait with it
            return;
        }
        boolean mayRepeat = definite || !call.isOneShot();
        if (!mayRepeat) {
            fail(call, Failure.unknown(call.words(), message), now); // R2.7: a one-shot is never repeated once sent
        } else if (Requests.isPassing(code) || !definite) {
            queue(call);
            pausedUntil = Math.max(pausedUntil, now + connection.jittered(refusals++));
        } else {
            fail(call, Failure.refused(code, call.words(), message), now);
        }
    }

    /** The stream, or the way behind it, broke. */
    void interrupted(String reason, long now) {
        pausedUntil = Long.MIN_VALUE;
        for (Call call : new ArrayList<>(open.values())) {
            boolean wasOnStream = call.onStream;
            leftStream(call);
            pausing.remove(call.pause);
            call.pause = null;
            if (wasOnStream && call.isOneShot()) {
                fail(call, Failure.unknown(call.words(), reason), now); // R2.7
            } else {
                queue(call);
            }
        }
    }

    void failDue(long now) {
        for (Call due = deadlines.pollDue(now); due != null; due = deadlines.pollDue(now)) {
            boolean unknown = due.isOneShot() && due.onStream;
            String why = connection.problem();
            gaveUp(due, now);
            fail(due, unknown ? Failure.unknown(due.words(), why) : Failure.unreachable(due.words(), why), now);
        }
    }

    void cancel(Call call, long now) {
        boolean definite = !(call.isOneShot() && call.onStream);
        gaveUp(call, now);
        fail(call, Failure.cancelled(definite, call.words()), now);
    }

    /** Nobody wants the answer any more, nobody is told. */
    void drop(Call call) {
        remove(call);
    }

    private void gaveUp(Call call, long now) {
        if (call.onStream && !call.isForShard()) {
            connection.gaveUp(now);
        }
    }

    void failAll(Requests.EndedCall ended, long now) {
        List<Call> all = new ArrayList<>(open.values());
        for (Call call : all) {
            boolean definite = !(call.isOneShot() && call.onStream);
            fail(call, ended.failure(definite, call.words()), now);
        }
    }

    private void fail(Call call, Failure failure, long now) {
        remove(call);
        call.owner.failed(failure, now);
    }

    private void remove(Call call) {
        leftStream(call);
        open.remove(call.id);
        toSend.remove(call.id);
        toSendBound.remove(call.id);
        pausing.remove(call.pause);
        deadlines.remove(call.deadline);
    }

    private void leftStream(Call call) {
        if (call.onStream) {
            call.onStream = false;
            readsOnStream -= call.isOneShot() || call.isForShard() ? 0 : 1;
            oneShotsOnStream -= call.isOneShot() ? 1 : 0;
        }
    }

    /** When the first read that waits for an answer on this stream was sent. */
    long oldestSentAt() {
        for (Call call : open.values()) {
            if (call.onStream && !call.isOneShot() && !call.isForShard()) {
                return call.sentAt;
            }
        }
        return Deadlines.NEVER;
    }

    /** When what has this id was sent on the present stream; NEVER if it is not waited for. */
    long sentAt(long id) {
        Call call = open.get(id);
        return call != null && call.onStream ? call.sentAt : Deadlines.NEVER;
    }

    /** Whether what has this id went to a shard. */
    boolean isForShard(long id) {
        Call call = open.get(id);
        return call != null && call.isForShard();
    }

    boolean hasOneShotsOnStream() {
        return oneShotsOnStream > 0;
    }

    /** One-shots do not count: leaving the stream would make their fate unknown. */
    boolean hasReadsOnStream() {
        return readsOnStream > 0;
    }

    int size() {
        return open.size();
    }

    long resumesAt(long now) {
        long next = pausing.next();
        return Math.min(now < pausedUntil ? pausedUntil : Deadlines.NEVER, now < next ? next : Deadlines.NEVER);
    }

    long nextDeadline() {
        return deadlines.next();
    }
}
