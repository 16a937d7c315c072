package io.holdfast.client.session;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls about leased locks on their way: each is repeated until it is answered or out of time.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. Every send has a number of its own on the wire, so an answer is counted from the very send that it answers
 * (R1.2). 2. Each owner is told once. 3. A call that waits for its turn after a refusal keeps no other one waiting.
 *
 * <p><b>Source:</b> R1.2, R2.7, R7.2.
 */
final class LeaseCalls {
    /** Who wants to know; told once. */
    interface Owner {
        /** @param sentAt when the send left that this answers */
        void answered(LeaseOutcome outcome, long sentAt, long now);

        void failed(Failure failure, long now);
    }

    /** For what nobody waits for. */
    static final Owner NOBODY = new Owner() {
        @Override
        public void answered(LeaseOutcome outcome, long sentAt, long now) {}

        @Override
        public void failed(Failure failure, long now) {}
    };

    /** One call. */
    static final class Asked {
        private final LeaseCall call;
        private final long number;
        private final Owner owner;
        private Deadlines.@Nullable Key deadline;
        /** Where it waits to be sent; null while it is on the stream. */
        private Deadlines.@Nullable Key turn;
        /** Of the present send; 0 while it is not on the stream. */
        private long wireId;

        private long sentAt;
        /** Of the first send on this stream; NEVER before. */
        private long firstSentAt = Deadlines.NEVER;

        private int refusals;
        /** An earlier send may have been carried out. */
        private boolean fateOpen;

        private Asked(LeaseCall call, long number, Owner owner) {
            this.call = call;
            this.number = number;
            this.owner = owner;
        }

        boolean isOnStream() {
            return wireId != 0;
        }

        /** Whether the cell may have carried it out. */
        boolean mayHaveApplied() {
            return fateOpen || isOnStream();
        }
    }

    private final Outbox outbox;
    private final Connection connection;
    private final TreeMap<Long, Asked> open = new TreeMap<>();
    private final TreeMap<Long, Asked> onStream = new TreeMap<>();
    private final Deadlines<Asked> toSend = new Deadlines<>();
    private final Deadlines<Asked> deadlines = new Deadlines<>();
    /** Calls on the stream that were never refused: a leader may be about to answer them. */
    private int untried;
    /** When something was last answered on this stream. */
    private long answeredAt = Long.MIN_VALUE;
    /** Since when calls are out without any answer; NEVER if none are. */
    private long unansweredSince = Deadlines.NEVER;

    private long lastNumber;
    private long lastWireId;

    LeaseCalls(Outbox outbox, Connection connection) {
        this.outbox = outbox;
        this.connection = connection;
    }

    Asked ask(LeaseCall call, long deadlineNanos, Owner owner) {
        Asked asked = new Asked(call, ++lastNumber, owner);
        asked.deadline = deadlines.add(deadlineNanos, asked);
        open.put(asked.number, asked);
        queue(asked, Long.MIN_VALUE);
        return asked;
    }

    private void queue(Asked asked, long notBeforeNanos) {
        toSend.remove(asked.turn);
        asked.turn = toSend.add(notBeforeNanos, asked);
    }

    /** Sends what may go now. Called only while the stream is open. */
    void flush(long now) {
        for (Asked next = toSend.pollDue(now); next != null; next = toSend.pollDue(now)) {
            next.turn = null;
            next.wireId = ++lastWireId;
            next.sentAt = now;
            next.firstSentAt = Math.min(next.firstSentAt, now);
            unansweredSince = Math.min(unansweredSince, now);
            untried += next.refusals == 0 ? 1 : 0;
            onStream.put(next.wireId, next);
            outbox.send(new ClientFrame.Lease(next.wireId, next.call));
        }
    }

    void reply(long wireId, Outcome outcome, long now) {
        Asked asked = onStream.get(wireId);
        if (asked == null) {
            return; // an earlier send, from before an interruption: the repeat is answered too
        }
        remove(asked);
        answeredAt = now;
        unansweredSince = onStream.isEmpty() ? Deadlines.NEVER : now;
        if (outcome instanceof Outcome.OfLease lease) {
            asked.owner.answered(lease.lease(), asked.sentAt, now);
        } else if (outcome instanceof Outcome.Failed failed) {
            asked.owner.failed(Failure.refused(failed.code(), Words.of(asked.call), failed.message()), now);
        } else {
            String what = "the answer " + outcome + " does not fit";
            asked.owner.failed(Failure.refused(ErrorCode.INTERNAL, Words.of(asked.call), what), now);
        }
    }

    void refused(long wireId, ErrorCode code, boolean definite, String message, long now) {
        Asked asked = onStream.get(wireId);
        if (asked == null) {
            return;
        }
        leftStream(asked, !definite);
        if (Requests.isPassing(code) || !definite) {
            queue(asked, now + connection.jittered(asked.refusals++));
            return;
        }
        remove(asked);
        asked.owner.failed(
                asked.fateOpen
                        ? Failure.unknown(Words.of(asked.call), message)
                        : Failure.refused(code, Words.of(asked.call), message),
                now);
    }

    /**
     * Whether a call that was refused for want of a leader says something of the endpoint, and not of one shard alone: nothing was
     * answered here since it was first sent, or that is long ago, as the endpoint may reach some leaders and others not; and nothing is
     * on its way that may be answered yet. To be asked before {@link #refused}.
     */
    boolean showsEndpointWithoutLeaders(long wireId, long now) {
        Asked asked = onStream.get(wireId);
        if (asked != null
                && now - asked.firstSentAt < 2 * connection.silenceNanos()
                && answeredAt > asked.firstSentAt) {
            return false; // the leader of another shard has answered
        }
        int others = untried - (asked != null && asked.refusals == 0 ? 1 : 0);
        return others == 0 || now - unansweredSince >= connection.silenceNanos();
    }

    /** The stream, or the way behind it, broke: what was on it is repeated. */
    void interrupted() {
        for (Asked asked : new ArrayList<>(onStream.values())) {
            leftStream(asked, true);
            queue(asked, Long.MIN_VALUE);
        }
        open.values().forEach(asked -> asked.firstSentAt = Deadlines.NEVER);
        answeredAt = Long.MIN_VALUE;
        unansweredSince = Deadlines.NEVER;
    }

    /** The clock stood still since they were sent: acquires are sent once more, to be counted from then (R1.3). */
    void clockJumped() {
        for (Asked asked : new ArrayList<>(onStream.values())) {
            if (asked.call instanceof LeaseCall.Acquire) {
                leftStream(asked, true);
                queue(asked, Long.MIN_VALUE);
            }
        }
    }

    private void leftStream(Asked asked, boolean mayHaveApplied) {
        takeOff(asked);
        asked.fateOpen |= mayHaveApplied && asked.isOnStream();
        asked.wireId = 0;
    }

    private void takeOff(Asked asked) {
        boolean was = onStream.remove(asked.wireId) != null;
        untried -= was && asked.refusals == 0 ? 1 : 0;
    }

    void failDue(long now) {
        for (Asked due = deadlines.pollDue(now); due != null; due = deadlines.pollDue(now)) {
            String why = connection.problem();
            String words = Words.of(due.call);
            boolean unknown = due.mayHaveApplied() && !(due.call instanceof LeaseCall.Inspect);
            gaveUp(due, now);
            due.owner.failed(unknown ? Failure.unknown(words, why) : Failure.unreachable(words, why), now);
        }
    }

    /** Nobody wants the answer any more, nobody is told. */
    void gaveUp(Asked asked, long now) {
        if (asked.isOnStream()) {
            connection.gaveUp(now); // C81
        }
        remove(asked);
    }

    /** It is overtaken by another one; nobody is told. */
    void remove(Asked asked) {
        takeOff(asked);
        open.remove(asked.number);
        if (open.isEmpty()) {
            unansweredSince = Deadlines.NEVER;
        }
        toSend.remove(asked.turn);
        deadlines.remove(asked.deadline);
    }

    /** When the first call that waits for an answer on this stream was sent. */
    long oldestSentAt() {
        Map.Entry<Long, Asked> first = onStream.firstEntry();
        return first == null ? Deadlines.NEVER : first.getValue().sentAt;
    }

    /** When this was sent on the present stream; NEVER if it is not waited for. */
    long sentAt(long wireId) {
        Asked asked = onStream.get(wireId);
        return asked == null ? Deadlines.NEVER : asked.sentAt;
    }

    boolean hasOnStream() {
        return !onStream.isEmpty();
    }

    int size() {
        return open.size();
    }

    /** When the next call may be sent. */
    long nextSend() {
        return toSend.next();
    }

    long nextDeadline() {
        return deadlines.next();
    }
}
