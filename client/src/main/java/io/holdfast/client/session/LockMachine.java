package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The session's places: who waits, who holds, and what is given back.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. A grant becomes a {@link Hold} only while the session is SAFE; else it is reported lost and given
 * back (R4.3). 2. A hold is marked before its release is sent (R4.4). 3. Clean-up names place and token, or the request id
 * while the place is not known; it is retried until answered or the session ends (R4.4). 4. No place is without an owner here
 * unless its clean-up is on the way (C60, C62).
 *
 * <p><b>Source:</b> R4.2, R4.3, R4.4.
 */
final class LockMachine {
    private final Trust trust;
    private final Outbox outbox;
    private final Requests requests;
    private final TreeMap<Long, Attempt> attempts = new TreeMap<>();
    private final TreeMap<NodePath, Attempt> waiting = new TreeMap<>();
    private final TreeMap<NodePath, Hold> holds = new TreeMap<>();
    /** Ended by an operator, and the application has not returned from being told. */
    private final TreeMap<NodePath, Hold> stopping = new TreeMap<>();

    private final EarlyWords early = new EarlyWords();
    private final PlaceQuestions questions;
    private final Endings endings;
    private final Deadlines<Attempt> deadlines = new Deadlines<>();

    LockMachine(Trust trust, Outbox outbox, Requests requests, Calls calls, Endings endings) {
        this.endings = endings;
        this.trust = trust;
        this.outbox = outbox;
        this.requests = requests;
        this.questions = new PlaceQuestions(calls, this::placeState);
    }

    void acquire(SessionEvent.Acquire event, long now) {
        AcquireSpec spec = event.spec();
        Attempt attempt = new Attempt(event.callId(), spec, Deadlines.after(now, event.waitNanos()));
        boolean onlyIfFree = event.waitNanos() <= 0;
        attempts.put(attempt.callId, attempt);
        attempt.asking = requests.submit(
                new Operation.Acquire(
                        spec.lock(), spec.mode(), onlyIfFree, spec.lockDelayMillis(), spec.value(), spec.permits()),
                Deadlines.after(now, event.timeoutNanos()),
                new AskingOwner(attempt));
    }

    /** The answer to an attempt's create. */
    private final class AskingOwner implements Request.Owner {
        private final Attempt attempt;

        AskingOwner(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public void done(Outcome outcome, long now) {
            attempt.asking = null;
            if (outcome instanceof Outcome.Placed placed) {
                placed(attempt, placed, now);
            } else if (outcome instanceof Outcome.NotAcquired taken) {
                fail(attempt, Failure.held(heldWords(attempt) + " (token " + taken.blocker() + ")"));
            } else if (outcome instanceof Outcome.Failed failed) {
                fail(attempt, Failure.refused(failed.code(), attempt.spec.toString(), failed.message()));
            } else {
                fail(attempt, Failure.refused(ErrorCode.INTERNAL, attempt.spec.toString(), "answered " + outcome));
            }
        }

        @Override
        public void failed(Failure failure, long now) {
            attempt.asking = null;
            fail(attempt, failure);
        }
    }

    private void placed(Attempt attempt, Outcome.Placed placed, long now) {
        attempt.place = placed.place();
        attempt.token = placed.token();
        boolean grantedEarly = early.takeGranted(placed.place(), placed.token());
        if (early.takeBroken(placed.place(), placed.token())) { // R3.6: the cell was told that it will never be held
            giveUpPlace(attempt, Failure.lost(attempt.spec + ": its place " + placed.place() + " was broken"));
        } else if (!placed.present()) {
            fail(attempt, Failure.lost(attempt.spec + ": its place " + placed.place() + " was removed"));
        } else if (placed.held() || grantedEarly) {
            granted(attempt, placed.place(), placed.token(), now);
        } else if (now >= attempt.waitUntilNanos) {
            giveUpPlace(attempt, timedOut(attempt));
        } else {
            waiting.put(placed.place(), attempt);
            attempt.deadline = deadlines.add(attempt.waitUntilNanos, attempt);
        }
    }

    /** The cell says that this place is held now. */
    private void granted(Attempt attempt, NodePath place, FencingToken token, long now) {
        if (!countsAt(now)) {
            Failure lost = Failure.lost(attempt.spec + ": token " + token
                    + " was granted after the local lease had ended; it does not count and is given back");
            giveUpPlace(attempt, lost);
            return;
        }
        forget(attempt);
        Hold hold = new Hold(attempt.spec, place, token, trust);
        holds.put(place, hold);
        outbox.add(new SessionAction.Granted(attempt.callId, hold));
    }

    /** A grant counts only if the session is SAFE when it is handed over. */
    private boolean countsAt(long now) {
        return trust.safeAt(now); // R4.3, C01
    }

    /** An event of the cell: a waiting place became held. */
    void grantEvent(NodePath place, FencingToken token, long now) {
        Attempt attempt = waiting.get(place);
        if (attempt != null) {
            if (token.equals(attempt.token)) {
                granted(attempt, place, token, now);
            }
        } else if (!holds.containsKey(place) && isAskedFor(place)) {
            early.granted(place, token);
        }
    }

    private boolean isAskedFor(NodePath place) {
        NodePath lock = place.parent();
        return attempts.values().stream()
                .anyMatch(
                        attempt -> attempt.asking != null && attempt.spec.lock().equals(lock));
    }

    /** An event of the cell, or an answer of it: the place is no more. */
    void placeGone(NodePath place, FencingToken token, String reason) {
        Attempt attempt = waiting.get(place);
        if (attempt != null && token.equals(attempt.token)) {
            fail(attempt, Failure.lost(attempt.spec + ": its place in the queue " + place + " is gone: " + reason));
        }
        Hold hold = holds.get(place);
        if (hold != null && hold.token().equals(token)) {
            holds.remove(place);
            lose(hold, reason);
        }
    }

    /**
     * R3.6: an operator breaks this place. Whatever is here of it is dead at once; who has a handle is told, and the
     * acknowledgement waits for that.
     */
    void broken(Ending.OfPlace ending, String reason) {
        Hold hold = holds.get(ending.place());
        Attempt attempt = waiting.get(ending.place());
        if (hold != null && hold.token().equals(ending.token())) {
            holds.remove(ending.place());
            stop(hold, reason);
            endings.ask(ending, List.of(hold));
        } else if (attempt != null && ending.token().equals(attempt.token)) {
            giveUpPlace(attempt, Failure.lost(attempt.spec + ": its place in the queue was " + reason));
            endings.acknowledge(ending);
        } else if (!endings.isTold(ending)
                && !isStopping(ending)
                && (!isAskedFor(ending.place()) || early.broken(ending.place(), ending.token()))) {
            endings.acknowledge(ending);
        }
    }

    /** The application has not returned from hearing of it, be it with its session: that acknowledgement comes first. */
    private boolean isStopping(Ending.OfPlace ending) {
        Hold hold = stopping.get(ending.place());
        return hold != null && hold.token().equals(ending.token());
    }

    /** It is lost, and the cell waits for the application to stop, at most until the lease that runs now is over. */
    private void stop(Hold hold, String reason) {
        hold.markStopping(trust.localExpiryNanos());
        stopping.put(hold.place(), hold);
        lose(hold, reason);
    }

    /** The application has stopped. Another leader may know nothing of the break, so the place is given back as well. */
    void letGo(Ending ending) {
        if (ending instanceof Ending.OfPlace broken) {
            Hold hold = stopping.remove(broken.place());
            if (hold != null) {
                hold.markStopped();
                submitRelease(broken.place(), broken.token(), SILENT); // R4.4
            }
        } else {
            stopping.values().forEach(Hold::markStopped);
            stopping.clear();
        }
    }

    private void lose(Hold hold, String reason) {
        hold.markLost(reason);
        outbox.add(new SessionAction.HoldLost(hold, reason));
    }

    /** Asks what became of each place while the stream was away (R4.2, C57). Called when attached and SAFE. */
    void askPlaces() {
        for (Attempt attempt : waiting.values()) {
            if (attempt.place != null && attempt.token != null) {
                questions.ask(attempt.place, attempt.token);
            }
        }
        holds.values().forEach(hold -> questions.ask(hold.place(), hold.token()));
    }

    /** The answer to such a question; {@code state} is null if the cell knows no such place. */
    private void placeState(NodePath place, FencingToken token, Answer.@Nullable Place state, long now) {
        boolean heldHere = holds.containsKey(place);
        if (state == null || !state.present() || (heldHere && !state.held())) {
            placeGone(place, token, "the cell removed it");
        } else if (state.held()) {
            grantEvent(place, token, now);
        }
    }

    void release(SessionEvent.Release event, long now) {
        Hold hold = event.hold();
        hold.markReleasing(); // R4.4: not held from before its release is sent
        boolean ours = holds.remove(hold.place(), hold);
        if (!ours) {
            outbox.add(new SessionAction.Complete(event.callId(), new Outcome.Released(false)));
            return;
        }
        submitRelease(hold.place(), hold.token(), new Request.Owner() {
            @Override
            public void done(Outcome outcome, long doneAt) {
                outbox.add(
                        outcome instanceof Outcome.Failed failed
                                ? new SessionAction.Fail(
                                        event.callId(),
                                        Failure.refused(failed.code(), "release of " + hold, failed.message()))
                                : new SessionAction.Complete(event.callId(), outcome));
            }

            @Override
            public void failed(Failure failure, long failedAt) {
                outbox.add(new SessionAction.Fail(event.callId(), failure));
            }
        });
    }

    /** Removes exactly this place; retried until it is answered or the session ends. */
    private void submitRelease(NodePath place, FencingToken token, Request.Owner owner) {
        requests.submit(new Operation.Release(place, token), Deadlines.NEVER, owner); // R4.4: by place and token
    }

    /** Whether there was such an attempt. */
    boolean cancel(long callId, long now) {
        Attempt attempt = attempts.get(callId);
        if (attempt == null) {
            return false;
        }
        Failure cancelled = Failure.cancelled(true, attempt.spec.toString());
        if (attempt.asking != null) {
            requests.giveUp(attempt.asking, cancelled, now); // R4.4: Cancel(id) while the create's fate is unknown
        } else {
            giveUpPlace(attempt, cancelled);
        }
        return true;
    }

    /** Fails the waits that are over. */
    void failDue(long now) {
        for (Attempt due = deadlines.pollDue(now); due != null; due = deadlines.pollDue(now)) {
            giveUpPlace(due, timedOut(due));
        }
    }

    private void giveUpPlace(Attempt attempt, Failure failure) {
        if (attempt.place != null && attempt.token != null) {
            submitRelease(attempt.place, attempt.token, SILENT);
        }
        fail(attempt, failure);
    }

    private static final Request.Owner SILENT = new Request.Owner() {
        @Override
        public void done(Outcome outcome, long now) {}

        @Override
        public void failed(Failure failure, long now) {}
    };

    private void fail(Attempt attempt, Failure failure) {
        forget(attempt);
        outbox.add(new SessionAction.Fail(attempt.callId, failure));
    }

    private void forget(Attempt attempt) {
        attempts.remove(attempt.callId);
        deadlines.remove(attempt.deadline);
        if (attempt.place != null) {
            waiting.remove(attempt.place, attempt);
        }
        if (attempts.isEmpty()) {
            early.forgetAll();
        }
    }

    private static String heldWords(Attempt attempt) {
        return attempt.spec + ": held by another";
    }

    private static Failure timedOut(Attempt attempt) {
        return Failure.held(heldWords(attempt) + "; the time to wait is over and the place in the queue is given up");
    }

    /** An operator ended the session; the cell waits for the application to stop (R3.6). */
    List<Hold> sessionEnded(String reason) {
        for (Hold hold : holds.values()) {
            hold.markStopping(trust.localExpiryNanos());
            stopping.put(hold.place(), hold);
        }
        sessionLost(ErrorCode.SESSION_EXPIRED, reason);
        return List.copyOf(stopping.values());
    }

    /**
     * The session is over with all its places. Attempts that still ask are failed with their requests.
     *
     * @param code null if the cell has not said so
     */
    void sessionLost(@Nullable ErrorCode code, String reason) {
        questions.drop();
        for (Attempt attempt : new ArrayList<>(waiting.values())) {
            fail(attempt, Failure.sessionExpired(code, true, attempt.spec.toString(), reason)); // C59
        }
        List<Hold> lost = new ArrayList<>(holds.values());
        holds.clear();
        lost.forEach(hold -> lose(hold, reason));
    }

    /** The session is being closed by the application: nothing is held from here on (R4.4). */
    void closing() {
        questions.drop();
        for (Attempt attempt : new ArrayList<>(waiting.values())) {
            fail(attempt, Failure.closed(true, attempt.spec.toString()));
        }
        holds.values().forEach(Hold::markReleasing);
        holds.clear();
    }

    /** A hold of this lock that may be acted on now; null if there is none. */
    @Nullable
    Hold heldAt(NodePath lock, long now) {
        for (Hold hold : holds.values()) {
            if (hold.lock().equals(lock) && hold.isHeldAt(now)) {
                return hold;
            }
        }
        return null;
    }

    List<Hold> holds() {
        return List.copyOf(holds.values());
    }

    int waitingCount() {
        return attempts.size();
    }

    long nextDeadline() {
        return deadlines.next();
    }
}
