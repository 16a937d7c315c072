package io.holdfast.client.session;

import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The application's calls about leased locks by call id: single ones, and acquires that ask again while another holds.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. Each call id gets one completing action. 2. What was acquired and nobody wants is given back, if nobody else
 * can know its request id: whoever repeated it would be told of a grant that is just being given back.
 *
 * <p><b>Source:</b> R2.7, R7.2.
 */
final class LeaseAttempts {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** While more calls are open nothing more is cleared away: it ends with its lease. */
    private static final int MAX_OPEN_FOR_CLEARING = LeaseMachine.MAX_OPEN_CALLS / 10;

    private final Outbox outbox;
    private final LeaseCalls calls;
    private final LeaseHolds holds;
    private final TreeMap<Long, Attempt> attempts = new TreeMap<>();
    /** Those that wait to ask again. */
    private final Deadlines<Attempt> pauses = new Deadlines<>();

    LeaseAttempts(Outbox outbox, LeaseCalls calls, LeaseHolds holds) {
        this.outbox = outbox;
        this.calls = calls;
        this.holds = holds;
    }

    /** One call of the application. */
    private abstract class Attempt implements LeaseCalls.Owner {
        final long callId;
        final LeaseCall call;
        final long timeoutNanos;
        final boolean giveBack;

        LeaseCalls.@Nullable Asked asked;
        Deadlines.@Nullable Key pause;

        Attempt(long callId, LeaseCall call, long timeoutNanos, boolean giveBack) {
            this.callId = callId;
            this.call = call;
            this.timeoutNanos = timeoutNanos;
            this.giveBack = giveBack;
        }

        void ask(long now) {
            pause = null;
            asked = calls.ask(call, Deadlines.after(now, timeoutNanos), this);
        }

        void end(SessionAction action) {
            asked = null;
            attempts.remove(callId);
            pauses.remove(pause);
            outbox.add(action);
        }

        @Override
        public void failed(Failure failure, long now) {
            end(new SessionAction.Fail(callId, failure));
            if (!failure.definite()) {
                clearAway(now);
            }
        }

        /** Its fate is open and nobody waits for it: if it was granted, that is given back. */
        private void clearAway(long now) {
            if (giveBack && call instanceof LeaseCall.Acquire acquire && calls.size() < MAX_OPEN_FOR_CLEARING) {
                long end = Deadlines.after(now, acquire.leaseMillis() * NANOS_PER_MILLI);
                calls.ask(call, end, new Unwanted(acquire));
            }
        }

        void giveUp(Failure failure, long now) {
            LeaseCalls.Asked present = asked;
            end(new SessionAction.Fail(callId, failure));
            if (present != null) {
                boolean open = present.mayHaveApplied();
                calls.gaveUp(present, now);
                if (open) {
                    clearAway(now);
                }
            }
        }

        boolean mayHaveApplied() {
            return asked != null && asked.mayHaveApplied() && !(call instanceof LeaseCall.Inspect);
        }
    }

    /** Repeats an acquire that nobody wants any more, to give back what it got. */
    private final class Unwanted implements LeaseCalls.Owner {
        private final LeaseCall.Acquire acquire;

        Unwanted(LeaseCall.Acquire acquire) {
            this.acquire = acquire;
        }

        @Override
        public void answered(LeaseOutcome outcome, long sentAt, long now) {
            if (outcome instanceof LeaseOutcome.Granted granted) {
                long end = Deadlines.after(now, acquire.leaseMillis() * NANOS_PER_MILLI);
                LeaseCall release = new LeaseCall.Release(acquire.name(), acquire.owner(), granted.token());
                calls.ask(release, end, LeaseCalls.NOBODY);
            }
        }

        @Override
        public void failed(Failure failure, long now) {}
    }

    private final class Single extends Attempt {
        Single(LeaseEvent.Ask event) {
            super(event.callId(), event.call(), event.timeoutNanos(), event.giveBack());
        }

        @Override
        public void answered(LeaseOutcome outcome, long sentAt, long now) {
            end(new SessionAction.Complete(callId, new Outcome.OfLease(outcome)));
        }
    }

    private final class Acquire extends Attempt {
        private final LeaseCall.Acquire acquire;
        private final long waitUntil;

        Acquire(LeaseEvent.Acquire event, long now) {
            super(event.callId(), event.call(), event.timeoutNanos(), true);
            this.acquire = event.call();
            this.waitUntil = Deadlines.after(now, event.waitNanos());
        }

        @Override
        public void answered(LeaseOutcome outcome, long sentAt, long now) {
            asked = null;
            if (outcome instanceof LeaseOutcome.Granted granted) {
                granted(granted, sentAt, now);
            } else if (outcome instanceof LeaseOutcome.Held held) {
                held(held.owner(), held.retryAfterMillis(), now);
            } else {
                end(new SessionAction.Fail(callId, Failure.lost(Words.of(call) + ": the cell answered " + outcome)));
            }
        }

        private void granted(LeaseOutcome.Granted granted, long sentAt, long now) {
            long expiry = LeaseHolds.localExpiry(sentAt, granted.remainingMillis(), acquire.leaseMillis()); // R1.2
            LeasedHold hold = new LeasedHold(acquire, granted.token(), expiry);
            if (hold.isHeldAt(now)) {
                holds.begin(hold, sentAt);
                end(new SessionAction.LeaseGranted(callId, hold));
            } else {
                holds.giveBackUnheard(hold, now);
                String late = Words.of(call) + ": granted, but the answer came when the lease was over; given back";
                end(new SessionAction.Fail(callId, Failure.lost(late)));
            }
        }

        private void held(LeaseOwner by, long retryAfterMillis, long now) {
            if (now >= waitUntil) {
                String who = Words.of(call) + ": it is held by " + by + "; try again in " + retryAfterMillis + " ms";
                end(new SessionAction.Fail(callId, Failure.held(who)));
                return;
            }
            long again = Deadlines.after(now, Math.max(1, retryAfterMillis) * NANOS_PER_MILLI);
            pause = pauses.add(Math.min(again, waitUntil), this);
        }
    }

    void ask(LeaseEvent.Ask event, long now) {
        start(new Single(event), now);
    }

    void acquire(LeaseEvent.Acquire event, long now) {
        start(new Acquire(event, now), now);
    }

    private void start(Attempt attempt, long now) {
        attempts.put(attempt.callId, attempt);
        attempt.ask(now);
    }

    /** Those whose pause is over ask again. */
    void passDeadlines(long now) {
        for (Attempt due = pauses.pollDue(now); due != null; due = pauses.pollDue(now)) {
            due.ask(now);
        }
    }

    void cancel(long callId, long now) {
        Attempt attempt = attempts.get(callId);
        if (attempt != null) {
            attempt.giveUp(Failure.cancelled(!attempt.mayHaveApplied(), Words.of(attempt.call)), now);
        }
    }

    void closing(long now) {
        for (Attempt attempt : new ArrayList<>(attempts.values())) {
            attempt.giveUp(Failure.closed(!attempt.mayHaveApplied(), Words.of(attempt.call)), now);
        }
    }

    int size() {
        return attempts.size();
    }

    long nextDeadline() {
        return pauses.next();
    }
}
