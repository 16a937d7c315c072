package io.holdfast.client.session;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The session's requests, each applied at most once: ids, watermark, window, repeats after a reconnect, and what is given up.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. A request keeps its id; repeats go out under it, in order. 2. The watermark never passes a request
 * whose answer has not been seen and that no Cancel has settled. 3. No id is beyond the cell's window; one half of it is kept
 * for Cancels, at most one for each request of the other half, so giving up never deadlocks. 4. Each owner is told once.
 *
 * <p><b>Source:</b> R2.7, R4.4.
 */
final class Requests {
    /** Ids that ordinary requests may use above the watermark; Cancels may use the cell's whole window. */
    static final int ORDINARY_WINDOW = Limits.MAX_RESULTS_PER_SESSION / 2;

    private final Outbox outbox;
    private final Connection connection;
    /** Sent at least once and not settled, by id. */
    private final TreeMap<Long, Request> unsettled = new TreeMap<>();
    /** Of those, the ones to send (again), by id. */
    private final TreeMap<Long, Request> repeats = new TreeMap<>();
    /** Never sent, in order of arrival. */
    private final TreeMap<Long, Request> waiting = new TreeMap<>();

    private final TreeMap<Long, Request> waitingCancels = new TreeMap<>();
    private final Deadlines<Request> deadlines = new Deadlines<>();
    private long lastId;
    private long sequence;
    private int onStream;
    private long pausedUntil = Long.MIN_VALUE;
    private int refusals;

    Requests(Outbox outbox, Connection connection) {
        this.outbox = outbox;
        this.connection = connection;
    }

    Request submit(Operation operation, long deadlineNanos, Request.Owner owner) {
        Request request = new Request(operation, sequence++, owner);
        request.deadline = deadlines.add(deadlineNanos, request);
        waiting.put(request.sequence, request);
        return request;
    }

    /** Like {@link #submit}, but goes before what waits and may use the half of the window kept for clean-up. */
    Request submitUrgent(Operation operation, Request.Owner owner) {
        Request request = new Request(operation, sequence++, owner);
        waitingCancels.put(request.sequence, request);
        return request;
    }

    /** Sends what may go now. Called only while the stream speaks for the session and the session is SAFE or closing. */
    void flush(long now) {
        if (now < pausedUntil) {
            return;
        }
        while (!repeats.isEmpty()) {
            send(repeats.pollFirstEntry().getValue(), now);
        }
        while (!waitingCancels.isEmpty() && hasRoom(Limits.MAX_RESULTS_PER_SESSION)) {
            send(waitingCancels.pollFirstEntry().getValue(), now);
        }
        while (!waiting.isEmpty() && hasRoom(ORDINARY_WINDOW)) {
            send(waiting.pollFirstEntry().getValue(), now);
        }
    }

    private boolean hasRoom(int window) {
        return lastId + 1 - watermark() <= window;
    }

    private void send(Request request, long now) {
        if (request.id == 0) {
            request.id = ++lastId;
            unsettled.put(request.id, request);
        }
        request.onStream = true;
        request.held = false;
        request.sentAt = now;
        onStream++;
        long waitMillis = Request.waitMillis(request.deadline, now);
        outbox.send(new ClientFrame.Request(request.id, watermark(), request.operation, waitMillis));
    }

    /** All answers up to here have been seen (R2.7). */
    long watermark() {
        return unsettled.isEmpty() ? lastId : unsettled.firstKey() - 1;
    }

    void reply(long id, Outcome outcome, long now) {
        Request request = unsettled.get(id);
        if (request == null) {
            return; // answered before
        }
        refusals = 0;
        leftStream(request);
        if (request.abandoned) {
            return; // its Cancel settles it, and needs the cell to remember the result until then
        }
        if (outcome instanceof Outcome.Failed failed && failed.code() == ErrorCode.REQUEST_WINDOW) {
            repeatLater(request, now);
            return;
        }
        settle(request);
        request.owner.done(outcome, now);
    }

    void refused(long id, ErrorCode code, boolean definite, String message, long now) {
        Request request = unsettled.get(id);
        if (request == null || !request.onStream) {
            return;
        }
        request.fateOpen |= !definite;
        leftStream(request);
        if (request.abandoned) {
            return;
        }
        boolean worthRepeating = !definite || isPassing(code);
        if (worthRepeating) {
            repeatLater(request, now); // under the same id (R2.7), until its deadline
            return;
        }
        if (request.fateOpen && !request.isCleanUp()) {
            giveUp(request, request.unknown(message), now);
            return;
        }
        settle(request);
        request.owner.failed(Failure.refused(code, request.words(), message), now);
    }

    /** The leader has it, and answers when others have let go of what they cache: no reason to leave the stream (R6.3). */
    void held(long id) {
        Request request = unsettled.get(id);
        if (request != null) {
            request.held = request.onStream;
        }
    }

    /** The present send of it had certainly no effect. */
    void notApplied(long id) {
        Request request = unsettled.get(id);
        if (request != null) {
            leftStream(request);
        }
    }

    /**
     * It was refused because the stream was not bound; it will be repeated once it is.
     *
     * @return false if that was so before already: then it is refused for good
     */
    boolean repeatOnceBound(long id) {
        Request request = unsettled.get(id);
        if (request == null || request.abandoned || !request.onStream || request.refusedAsUnbound) {
            return false;
        }
        request.refusedAsUnbound = true;
        leftStream(request);
        repeats.put(id, request);
        return true;
    }

    static boolean isPassing(ErrorCode code) {
        return code == ErrorCode.UNAVAILABLE || code == ErrorCode.BUSY || code == ErrorCode.REQUEST_WINDOW;
    }

    private void repeatLater(Request request, long now) {
        repeats.put(request.id, request);
        pausedUntil = Math.max(pausedUntil, now + connection.jittered(refusals++));
    }

    /** The stream, or the way behind it, broke: the fate of what was sent on it is open, and it will be repeated. */
    void interrupted() {
        for (Request request : unsettled.values()) {
            request.fateOpen |= request.onStream;
            request.onStream = false;
            if (!request.abandoned) {
                repeats.put(request.id, request);
            }
        }
        onStream = 0;
        pausedUntil = Long.MIN_VALUE;
    }

    /** Fails what is due. */
    void failDue(long now) {
        for (Request due = deadlines.pollDue(now); due != null; due = deadlines.pollDue(now)) {
            String why = connection.problem();
            giveUp(due, due.mayHaveApplied() ? due.unknown(why) : Failure.unreachable(due.words(), why), now);
        }
    }

    /** The owner is told now; if the request may have been applied, its Cancel is retried until answered (R4.4). */
    void giveUp(Request request, Failure failure, long now) {
        abandon(request);
        request.owner.failed(failure, now);
    }

    /** Whether it may have been applied; if so, a Cancel follows. */
    boolean abandon(Request request) {
        deadlines.remove(request.deadline);
        waiting.remove(request.sequence);
        repeats.remove(request.id);
        if (!request.mayHaveApplied()) {
            unsettled.remove(request.id);
            return false;
        }
        request.abandoned = true;
        submitUrgent(new Operation.Cancel(request.id), settling(request)); // R4.4: by id while its fate is unknown
        return true;
    }

    private Request.Owner settling(Request target) {
        return new Request.Owner() {
            @Override
            public void done(Outcome outcome, long now) {
                leftStream(target);
                unsettled.remove(target.id);
            }

            @Override
            public void failed(Failure failure, long now) {
                unsettled.remove(target.id);
            }
        };
    }

    private void settle(Request request) {
        unsettled.remove(request.id);
        repeats.remove(request.id); // answered while it waited to be repeated
        deadlines.remove(request.deadline);
    }

    private void leftStream(Request request) {
        if (request.onStream) {
            request.onStream = false;
            onStream--;
        }
    }

    /** The session is over: nothing will be sent any more. Tells every owner. */
    void end(EndedCall ended, long now) {
        List<Request> all = new ArrayList<>(unsettled.values());
        all.addAll(waitingCancels.values());
        all.addAll(waiting.values());
        unsettled.clear();
        repeats.clear();
        waiting.clear();
        waitingCancels.clear();
        deadlines.clear();
        onStream = 0;
        for (Request request : all) {
            if (!request.abandoned) {
                request.owner.failed(ended.failure(!request.mayHaveApplied(), request.words()), now);
            }
        }
    }

    /** How a call ends whose session is over. */
    interface EndedCall {
        Failure failure(boolean definite, String words);
    }

    /** When the first request that waits for an answer on this stream was sent. */
    long oldestSentAt() {
        for (Request request : unsettled.values()) {
            if (request.onStream && !request.abandoned && !request.held) {
                return request.sentAt;
            }
        }
        return Deadlines.NEVER;
    }

    boolean hasOnStream() {
        return onStream > 0;
    }

    /** Sent and not settled, or not yet sent. */
    int size() {
        return unsettled.size() + waiting.size() + waitingCancels.size();
    }

    /** When {@link #flush} is worth calling again after a refusal. */
    long resumesAt(long now) {
        return now < pausedUntil ? pausedUntil : Deadlines.NEVER;
    }

    long nextDeadline() {
        return deadlines.next();
    }
}
