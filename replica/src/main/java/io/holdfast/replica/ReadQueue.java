package io.holdfast.replica;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.RaftInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a leadership check: KeepAlives, attaches, reads, what operators ask for, and the judgement of deadlines
 * (R2.6).
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>All that waits at the end of a turn shares one check that begins then; nothing joins a check that runs (R2.6).
 *   <li>Checks are settled in the order in which they began: a confirmed one settles all before it.
 *   <li>Within a check the KeepAlives and renewals of leased locks come first, then deadlines are judged, then the rest (R2.8).
 *   <li>Attaches, reads and claims of watches are answered, in the order in which they came, from a state at least as new as the check's index (R2.6, thesis §6.4).
 * </ol>
 */
final class ReadQueue {
    static final int MAX_WAITING = 100_000;
    /** Checks under way at once; while so many are, more gather for the next one. */
    static final int MAX_CHECKS = 4;

    sealed interface Waiting {}

    /** What one client asks for. */
    sealed interface OfStream extends Waiting {
        ClientStream stream();

        /** Under which it is answered or refused; 0 if it has none. */
        default long id() {
            return 0;
        }
    }

    record KeepAlive(ClientStream stream, SessionId session, long sendNumber) implements OfStream {}

    /** KeepAlives of many clients of a front end (R3.5). */
    record KeepAliveBatch(long link, UpstreamFrame.KeepAlives batch) implements Waiting {}

    record Attach(ClientStream stream, ClientFrame.Attach frame) implements OfStream {}

    /**
     * @param watch registered with the answer; 0 for none
     * @param cacheable it shall be cached, if it may be
     */
    record Read(ClientStream stream, long callId, Query query, long watch, boolean cacheable) implements OfStream {
        @Override
        public long id() {
            return callId;
        }
    }

    /** Watches that a front end claims. */
    record WatchClaims(long link, UpstreamFrame.ClaimWatches frame) implements Waiting {}

    /** An operator asks for the end of something (R3.6). */
    record End(ClientStream stream, long callId, Operation operation) implements OfStream {
        @Override
        public long id() {
            return callId;
        }
    }

    /** A call about a leased lock (R7.1, R7.3). */
    record Lease(ClientStream stream, long callId, LeaseCall call) implements OfStream {
        @Override
        public long id() {
            return callId;
        }

        /** Settled with the KeepAlives, before deadlines are judged (R2.8). */
        boolean isRenewal() {
            return call instanceof LeaseCall.Renew;
        }
    }

    /** A write that waits anyway, and may be refused instead (R6.3). */
    record Check(ClientStream stream, long id, WriteGate.Write write) implements OfStream {}

    /** Told what became of what waited. */
    interface Settler {
        /** Leadership was confirmed after it arrived. */
        void confirmed(KeepAlive keepAlive);

        /** Leadership was confirmed after it arrived. */
        void confirmed(KeepAliveBatch batch);

        /** Leadership was confirmed by a check that began with this judgement. */
        void judge(Deadlines.Judgement judgement);

        /** Leadership was confirmed after it arrived, and the state is new enough. */
        void confirmed(Attach attach);

        /** Leadership was confirmed after it arrived, and the state is new enough. */
        void confirmed(Read read);

        /** Leadership was confirmed after it arrived, and the state is new enough. */
        void confirmed(WatchClaims claims);

        /** Leadership was confirmed after it arrived, and the state is new enough. */
        void confirmed(End end);

        /** Leadership was confirmed after it arrived; for all but most renewals, the state is new enough too. */
        void confirmed(Lease lease);

        /** Whether this renewal too must wait for the state, as something is on its way that may have ended its hold. */
        boolean mustSeeTheState(Lease renewal);

        /** Leadership was confirmed after it arrived, and the state is new enough. */
        void confirmed(Check check);

        /** It was not, and will not be, carried out. */
        void refused(OfStream waiting, ErrorCode code, String why);

        /** Nothing of it was, or will be, renewed. */
        void refused(KeepAliveBatch batch, ErrorCode code, String why);

        /** Nothing of it was, or will be, registered. */
        void refused(WatchClaims claims, ErrorCode code, String why);

        void refused(Deadlines.Judgement judgement);
    }

    private record Round(List<Waiting> waiting, Deadlines.@Nullable Judgement judgement) {}

    private record Ready(long index, List<Waiting> waiting) {}

    private final CellDriver driver;
    private final Settler settler;
    private final Map<Long, Round> running = new TreeMap<>();
    /** Confirmed, but the state is not there yet. */
    private final ArrayDeque<Ready> ready = new ArrayDeque<>();

    private List<Waiting> waiting = new ArrayList<>();
    private final FrontEndShares shares = new FrontEndShares();
    private int count;

    ReadQueue(CellDriver driver, Settler settler) {
        this.driver = driver;
        this.settler = settler;
    }

    void add(Waiting next) {
        if (count >= MAX_WAITING) {
            refuse(next, ErrorCode.BUSY, "too many reads and KeepAlives wait");
            return;
        }
        String objection = shares.objectionTo(next);
        if (objection != null) {
            refuse(next, ErrorCode.BUSY, objection);
            return;
        }
        count++;
        waiting.add(next);
    }

    private void leaves(Waiting entry) {
        count--;
        shares.leaves(entry);
    }

    boolean canBegin() {
        return running.size() < MAX_CHECKS;
    }

    /** Begins one check for all that waits. */
    void begin(Deadlines.@Nullable Judgement judgement) {
        if (!canBegin() || (waiting.isEmpty() && judgement == null)) {
            return;
        }
        long tag = driver.nextTag();
        running.put(tag, new Round(waiting, judgement));
        waiting = new ArrayList<>();
        driver.step(new RaftInput.ReadIndex(tag));
    }

    /** A majority confirmed the lead after this check began, and so after all that began before it. */
    void confirmed(long tag, long index) {
        while (!running.isEmpty()) {
            long first = running.keySet().iterator().next();
            if (first > tag) {
                return;
            }
            Round check = running.remove(first);
            if (check != null) {
                settle(check, index);
            }
        }
    }

    private void settle(Round check, long index) {
        List<Waiting> forState = new ArrayList<>();
        for (Waiting next : check.waiting()) {
            if (next instanceof KeepAlive keepAlive) {
                leaves(next);
                settler.confirmed(keepAlive);
            } else if (next instanceof KeepAliveBatch batch) {
                leaves(next);
                settler.confirmed(batch);
            } else if (next instanceof Lease lease && lease.isRenewal() && !settler.mustSeeTheState(lease)) {
                leaves(next);
                settler.confirmed(lease);
            } else {
                forState.add(next);
            }
        }
        if (check.judgement() != null) {
            settler.judge(check.judgement());
        }
        if (!forState.isEmpty()) {
            ready.add(new Ready(index, forState));
            serve();
        }
    }

    /** Answers what was confirmed, as far as the state has come (R2.6). */
    void serve() {
        for (Ready next = ready.peek(); next != null && isNewEnough(next.index()); next = ready.peek()) {
            ready.remove();
            for (Waiting entry : next.waiting()) {
                leaves(entry);
                if (entry instanceof Attach attach) {
                    settler.confirmed(attach);
                } else if (entry instanceof Read read) {
                    settler.confirmed(read);
                } else if (entry instanceof WatchClaims claims) {
                    settler.confirmed(claims);
                } else if (entry instanceof End end) {
                    settler.confirmed(end);
                } else if (entry instanceof Lease lease) {
                    settler.confirmed(lease);
                } else if (entry instanceof Check check) {
                    settler.confirmed(check);
                }
            }
        }
    }

    private boolean isNewEnough(long index) {
        return driver.machine().appliedIndex() >= index;
    }

    /** Consensus will not carry out the check with this tag. */
    void refused(long tag, ErrorCode code, String why) {
        Round check = running.remove(tag);
        if (check != null) {
            refuse(check.waiting(), code, why);
            if (check.judgement() != null) {
                settler.refused(check.judgement());
            }
        }
    }

    private void refuse(List<Waiting> all, ErrorCode code, String why) {
        all.forEach(next -> {
            leaves(next);
            refuse(next, code, why);
        });
    }

    private void refuse(Waiting next, ErrorCode code, String why) {
        if (next instanceof KeepAliveBatch batch) {
            settler.refused(batch, code, why);
        } else if (next instanceof WatchClaims claims) {
            settler.refused(claims, code, why);
        } else if (next instanceof OfStream ofStream) {
            settler.refused(ofStream, code, why);
        }
    }

    void deposed(String why) {
        running.values().forEach(check -> refuse(check.waiting(), ErrorCode.UNAVAILABLE, why));
        ready.forEach(next -> refuse(next.waiting(), ErrorCode.UNAVAILABLE, why));
        refuse(waiting, ErrorCode.UNAVAILABLE, why);
        running.clear();
        ready.clear();
    }
}
