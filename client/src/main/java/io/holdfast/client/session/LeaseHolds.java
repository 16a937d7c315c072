package io.holdfast.client.session;

import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The holds of leased locks that this client renews, until they are given back or lost.
 *
 * <p><b>Thread:</b> the machine's.
 *
 * <p><b>Invariants:</b> 1. A hold is renewed every 3/10 of its lease, whether the last renewal was answered or not: one that is dropped
 * never ends it (R1.2). 2. Only an answer that names its send extends a hold, counted from that send. 3. Once its local lease has
 * passed, or the cell has called it lost, a hold is lost for ever and the application is told so once.
 *
 * <p><b>Source:</b> R1.2, R1.3, R7.1, R7.2.
 */
final class LeaseHolds {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** ρ = 1/100 (R1.1). */
    private static final long DRIFT_DIVISOR = 100;

    private static final long RENEWALS = 3;
    private static final long PER_LEASES = 10;

    private static final class Tended {
        final LeasedHold hold;
        /** Renewals that are not answered, in the order in which they were asked for. */
        final List<LeaseCalls.Asked> renewals = new ArrayList<>();

        long renewAt;
        Deadlines.@Nullable Key wake;

        Tended(LeasedHold hold) {
            this.hold = hold;
        }

        long leaseNanos() {
            return hold.leaseMillis() * NANOS_PER_MILLI;
        }
    }

    private final Outbox outbox;
    private final LeaseCalls calls;
    private final Map<LeasedHold, Tended> holds = new LinkedHashMap<>();
    private final Deadlines<Tended> wakes = new Deadlines<>();

    LeaseHolds(Outbox outbox, LeaseCalls calls) {
        this.outbox = outbox;
        this.calls = calls;
    }

    /**
     * When a lease ends for its holder: counted from the send, and early by what the clocks may differ (R1.2).
     *
     * @param remainingMillis as the cell says; never more than the lease
     */
    static long localExpiry(long sentAt, long remainingMillis, long leaseMillis) {
        long nanos = Math.max(0, Math.min(remainingMillis, leaseMillis)) * NANOS_PER_MILLI;
        return sentAt + nanos - nanos / DRIFT_DIVISOR;
    }

    /** A hold begins; the acquire that made it was sent then. */
    void begin(LeasedHold hold, long sentAt) {
        Tended tended = new Tended(hold);
        tended.renewAt = sentAt + tended.leaseNanos() * RENEWALS / PER_LEASES;
        holds.put(hold, tended);
        plan(tended);
    }

    private void plan(Tended tended) {
        wakes.remove(tended.wake);
        tended.wake = wakes.add(Math.min(tended.renewAt, tended.hold.localExpiryNanos()), tended);
    }

    /** Does what is due: at the beginning of every turn, before anything that came in it is believed (R1.3). */
    void passDeadlines(long now) {
        for (Tended due = wakes.pollDue(now); due != null; due = wakes.pollDue(now)) {
            due.wake = null;
            if (due.hold.hasRunOutAt(now)) {
                runOut(due, now);
            } else {
                renew(due, now);
            }
        }
    }

    private void renew(Tended tended, long now) {
        tended.renewAt = now + tended.leaseNanos() * RENEWALS / PER_LEASES;
        if (tended.renewals.stream().allMatch(LeaseCalls.Asked::isOnStream)) { // else that one is sent first
            Renewal renewal = new Renewal(tended);
            LeasedHold hold = tended.hold;
            LeaseCall call = new LeaseCall.Renew(hold.name(), hold.owner(), hold.token());
            renewal.asked = calls.ask(call, hold.localExpiryNanos(), renewal);
            tended.renewals.add(renewal.asked);
        }
        plan(tended);
    }

    /** The end of a renewal. */
    private final class Renewal implements LeaseCalls.Owner {
        private final Tended tended;

        private LeaseCalls.@Nullable Asked asked;

        Renewal(Tended tended) {
            this.tended = tended;
        }

        @Override
        public void answered(LeaseOutcome outcome, long sentAt, long now) {
            if (outcome instanceof LeaseOutcome.Renewed renewed) {
                confirmed(renewed.remainingMillis(), sentAt, now);
            } else if (outcome instanceof LeaseOutcome.Lost lost) {
                lose(tended, "the cell does not know it any more: " + lost.reason());
            } else {
                tended.renewals.remove(asked);
            }
        }

        private void confirmed(long remainingMillis, long sentAt, long now) {
            LeasedHold hold = tended.hold;
            if (hold.hasRunOutAt(now)) {
                runOut(tended, now);
                return;
            }
            // Renewals that were asked for before the clocks jumped are gone, so this one was sent since.
            hold.confirmed(localExpiry(sentAt, remainingMillis, hold.leaseMillis())); // R1.2: from its send
            int older = tended.renewals.indexOf(asked);
            for (int i = 0; i < older; i++) {
                calls.remove(tended.renewals.get(i));
            }
            tended.renewals.subList(0, older + 1).clear();
            plan(tended);
        }

        @Override
        public void failed(Failure failure, long now) {
            tended.renewals.remove(asked); // out of time: so is the local lease; or refused: another one follows
        }
    }

    /** R1.3: nothing is held until a renewal that is sent from now on is confirmed. */
    void clockJumped(long now) {
        for (Tended tended : holds.values()) {
            tended.hold.doubt();
            dropRenewals(tended);
            tended.renewAt = now;
            plan(tended);
        }
    }

    private void dropRenewals(Tended tended) {
        tended.renewals.forEach(calls::remove);
        tended.renewals.clear();
    }

    private void runOut(Tended tended, long now) {
        lose(tended, "its lease ended here before a renewal was confirmed");
        giveBack(tended.hold, now, LeaseCalls.NOBODY); // the cell may still keep it from others
    }

    /** All are over, and there is nobody to give them back to. */
    void loseAll(String reason) {
        for (Tended tended : new ArrayList<>(holds.values())) {
            lose(tended, reason);
        }
    }

    private void lose(Tended tended, String reason) {
        forget(tended);
        if (!tended.hold.isOver()) {
            tended.hold.markLost(reason);
            outbox.add(new SessionAction.LeaseLost(tended.hold, reason));
        }
    }

    private void forget(Tended tended) {
        holds.remove(tended.hold);
        wakes.remove(tended.wake);
        dropRenewals(tended);
    }

    /** Gives a hold back; no renewal follows (C25, C93). */
    void release(long callId, LeasedHold hold, long now) {
        Tended tended = holds.get(hold);
        boolean lost = hold.lostReason() != null;
        hold.markReleasing(); // not held from before its release is sent
        if (tended != null) {
            forget(tended);
        }
        if (lost) {
            LeaseOutcome outcome = new LeaseOutcome.Lost(String.valueOf(hold.lostReason()));
            outbox.add(new SessionAction.Complete(callId, new Outcome.OfLease(outcome)));
            return;
        }
        giveBack(hold, now, new LeaseCalls.Owner() {
            @Override
            public void answered(LeaseOutcome outcome, long sentAt, long at) {
                outbox.add(new SessionAction.Complete(callId, new Outcome.OfLease(outcome)));
            }

            @Override
            public void failed(Failure failure, long at) {
                outbox.add(new SessionAction.Fail(callId, failure));
            }
        });
    }

    /** R4.4: until it is answered, or the lease is over anyway. */
    private void giveBack(LeasedHold hold, long now, LeaseCalls.Owner owner) {
        long lease = hold.leaseMillis() * NANOS_PER_MILLI;
        LeaseCall call = new LeaseCall.Release(hold.name(), hold.owner(), hold.token());
        calls.ask(call, Deadlines.after(now, lease + lease / DRIFT_DIVISOR), owner);
    }

    /** A grant that came too late to count: nobody heard of it. */
    void giveBackUnheard(LeasedHold hold, long now) {
        hold.markReleasing();
        giveBack(hold, now, LeaseCalls.NOBODY);
    }

    /** Gives everything back. */
    void closing(long now) {
        for (Tended tended : new ArrayList<>(holds.values())) {
            forget(tended);
            giveBackUnheard(tended.hold, now);
        }
    }

    List<LeasedHold> holds() {
        return List.copyOf(holds.keySet());
    }

    long nextDeadline() {
        return wakes.next();
    }
}
