package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** The client's side of leased locks, sentence by sentence: R1.2, R1.3, R4.3, R4.4, R7.1, R7.2. */
final class LeasedLockPaperTest {
    private static final LeaseOwner OTHER = new LeaseOwner("x");

    private final LeaseBench bench = new LeaseBench();

    /** R1.2, R7.2: the caller counts it from when it sent the request, and ends it early. */
    @Test
    void aLeaseIsCountedFromTheSend() {
        bench.acquire(0);
        bench.hello();
        bench.stopped(400).grant();
        LeasedHold hold = bench.hold();
        assertThat(hold.remainingNanosAt(bench.now())).isEqualTo(9_500 * LeaseBench.MILLI);
        bench.stopped(9_500);
        assertThat(bench.isHeld(hold)).isFalse();
    }

    /** R7.2: the answer carries what remains, which may be less than the lease. */
    @Test
    void whatRemainsCounts() {
        bench.acquire(0);
        bench.hello();
        bench.answer(new LeaseOutcome.Granted(LeaseBench.TOKEN, 4_000));
        assertThat(bench.hold().remainingNanosAt(bench.now())).isEqualTo(3_960 * LeaseBench.MILLI);
        bench.answer(new LeaseOutcome.Renewed(99_000));
        assertThat(bench.hold().remainingNanosAt(bench.now())).isLessThanOrEqualTo(9_900 * LeaseBench.MILLI);
    }

    /** R1.2: a leased lock is renewed every 3/10 of its lease. */
    @Test
    void aHoldRenewsItselfEveryThreeTenths() {
        LeasedHold hold = bench.held();
        for (int i = 0; i < 10; i++) {
            bench.clear().pass(3_000);
            assertThat(bench.sent())
                    .containsExactly(new LeaseCall.Renew(LeaseBench.NAME, LeaseBench.OWNER, LeaseBench.TOKEN));
            bench.confirm();
            assertThat(hold.remainingNanosAt(bench.now())).isEqualTo(9_900 * LeaseBench.MILLI);
        }
        assertThat(bench.of(SessionAction.LeaseLost.class)).isEmpty();
    }

    /** R1.2: one lost renewal never ends a hold, whichever it is and wherever it was lost. */
    @Test
    void oneRenewalDroppedNeverEndsAHold() {
        LeasedHold hold = bench.held();
        for (int dropped = 0; dropped < 3; dropped++) {
            bench.pass(3_000); // this one is never answered
            bench.pass(3_000);
            assertThat(bench.isHeld(hold)).isTrue();
            bench.hello();
            bench.confirm();
            assertThat(bench.isHeld(hold)).isTrue();
        }
        assertThat(bench.of(SessionAction.LeaseLost.class)).isEmpty();
    }

    /** R1.2: an answer is counted from the send that it answers, not from a later one. */
    @Test
    void anAnswerToAnEarlierSendCountsFromThatSend() {
        LeasedHold hold = bench.held();
        bench.pass(3_000);
        ClientFrame.Lease first = bench.last();
        // Another answer keeps the stream alive while this one is late.
        bench.pass(1_000);
        bench.ask(new LeaseCall.Inspect(LeaseBench.NAME), false);
        bench.answer(new LeaseOutcome.Free());
        bench.pass(1_000);
        bench.ask(new LeaseCall.Inspect(LeaseBench.NAME), false);
        bench.answer(new LeaseOutcome.Free());
        bench.pass(1_000);
        assertThat(bench.last().callId()).isNotEqualTo(first.callId());
        bench.answer(first, new LeaseOutcome.Renewed(10_000));
        assertThat(hold.remainingNanosAt(bench.now())).isEqualTo((9_900 - 3_000) * LeaseBench.MILLI);
    }

    /** A frame that is repeated has another number, so that a late answer to the first is not taken for one to the second. */
    @Test
    void anAnswerToASendFromBeforeAnInterruptionCountsForNothing() {
        bench.acquire(0);
        bench.hello();
        ClientFrame.Lease first = bench.last();
        bench.frame(new ServerFrame.Interrupted("another leader", null));
        bench.stopped(5_000).on(new LeaseEvent.Tick());
        assertThat(bench.last().callId()).isNotEqualTo(first.callId());
        assertThat(bench.last().call()).isEqualTo(first.call()); // R2.7: the same request id
        bench.answer(first, new LeaseOutcome.Granted(LeaseBench.TOKEN, 10_000));
        assertThat(bench.of(SessionAction.LeaseGranted.class)).isEmpty();
        bench.grant();
        assertThat(bench.hold().remainingNanosAt(bench.now())).isEqualTo(9_900 * LeaseBench.MILLI);
    }

    /** Lost for ever once the local end has passed: C05. The lock is given back, for the cell may still keep it from others. */
    @Test
    void aHoldWhoseLeaseHasPassedIsLostForEver() {
        LeasedHold hold = bench.held();
        bench.frozen().pass(9_000);
        ClientFrame.Lease renewal = bench.last();
        assertThat(bench.isHeld(hold)).isTrue();
        bench.stopped(20_000);
        assertThat(bench.isHeld(hold)).isFalse();
        bench.clear().answer(renewal, new LeaseOutcome.Renewed(10_000));
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(bench.of(SessionAction.LeaseLost.class)).hasSize(1);
        assertThat(hold.lostReason()).contains("lease ended here");
        bench.pass(3_000);
        bench.hello();
        assertThat(bench.sent(LeaseCall.Release.class)).isNotEmpty();
        assertThat(bench.sent(LeaseCall.Renew.class)).isEmpty(); // nothing renews it any more
    }

    /** Who looks too late ends the hold, though the machine has not come to it yet. */
    @Test
    void whoAsksAfterTheEndEndsIt() {
        LeasedHold hold = bench.held();
        bench.pass(3_000);
        assertThat(hold.isHeldAt(bench.now() + 7_000 * LeaseBench.MILLI)).isFalse();
        assertThat(bench.isHeld(hold)).isFalse();
        bench.confirm();
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(bench.of(SessionAction.LeaseLost.class)).hasSize(1);
    }

    @Test
    void aHoldThatTheCellDoesNotKnowIsLost() {
        LeasedHold hold = bench.held();
        bench.pass(3_000).answer(new LeaseOutcome.Lost("it is held by another"));
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(bench.of(SessionAction.LeaseLost.class))
                .singleElement()
                .satisfies(lost -> assertThat(lost.reason()).contains("held by another"));
        bench.clear().pass(20_000);
        assertThat(bench.sent()).isEmpty();
        bench.release(hold);
        assertThat(bench.sent()).isEmpty();
        assertThat(bench.of(SessionAction.Complete.class)).hasSize(1);
    }

    /** R1.3: a jump of the clocks suspends trust until a renewal that is sent from then on is confirmed. */
    @Test
    void aJumpOfTheClocksSuspendsTrustUntilALaterRenewalIsConfirmed() {
        LeasedHold hold = bench.held();
        bench.pass(3_000);
        ClientFrame.Lease before = bench.last();
        bench.on(new LeaseEvent.ClockJump());
        ClientFrame.Lease after = bench.last();
        assertThat(after.callId()).isNotEqualTo(before.callId());
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(hold.hasEndedAt(bench.now())).isFalse();
        bench.answer(before, new LeaseOutcome.Renewed(10_000));
        assertThat(bench.isHeld(hold)).isFalse();
        bench.answer(after, new LeaseOutcome.Renewed(10_000));
        assertThat(bench.isHeld(hold)).isTrue();
        assertThat(bench.of(SessionAction.LeaseLost.class)).isEmpty();
    }

    /** R1.3: also an acquire that was on its way is counted from after the jump; it names the same request. */
    @Test
    void anAcquireOnItsWayIsSentAgainAfterAJump() {
        bench.acquire(0);
        bench.hello();
        ClientFrame.Lease before = bench.last();
        bench.on(new LeaseEvent.ClockJump());
        bench.answer(before, new LeaseOutcome.Granted(LeaseBench.TOKEN, 10_000));
        assertThat(bench.of(SessionAction.LeaseGranted.class)).isEmpty();
        assertThat(bench.last().call()).isEqualTo(before.call());
        bench.grant();
        assertThat(bench.isHeld(bench.hold())).isTrue();
    }

    /** C25, C93: release wins; no renewal is sent after it, and the answer of one that was on its way counts for nothing. */
    @Test
    void nothingRenewsWhatIsReleased() {
        LeasedHold hold = bench.held();
        bench.pass(3_000);
        ClientFrame.Lease renewal = bench.last();
        bench.clear().release(hold);
        assertThat(bench.isHeld(hold)).isFalse(); // R4.4: from before the release is sent
        ClientFrame.Lease release = bench.last();
        assertThat(release.call())
                .isEqualTo(new LeaseCall.Release(LeaseBench.NAME, LeaseBench.OWNER, LeaseBench.TOKEN));
        bench.answer(renewal, new LeaseOutcome.Renewed(10_000));
        assertThat(bench.isHeld(hold)).isFalse();
        bench.answer(release, new LeaseOutcome.Released());
        bench.clear().pass(20_000);
        assertThat(bench.sent()).isEmpty();
        assertThat(bench.machine.openCalls()).isZero();
        assertThat(bench.of(SessionAction.LeaseLost.class)).isEmpty();
    }

    /** R4.4: a release is repeated until it is answered or the lease is over. */
    @Test
    void aReleaseIsRepeatedOnTheNextStream() {
        LeasedHold hold = bench.held();
        bench.clear().release(hold);
        bench.cut().pass(1_000);
        bench.hello();
        assertThat(bench.sent(LeaseCall.Release.class)).hasSize(2);
        bench.answer(new LeaseOutcome.Released());
        assertThat(bench.of(SessionAction.Complete.class)).hasSize(1);
    }

    /** R7.2: refused callers come back after the suggested wait. */
    @Test
    void whoWaitsAsksAgainAfterTheSuggestedWait() {
        bench.acquire(5_000);
        bench.hello();
        bench.answer(new LeaseOutcome.Held(OTHER, 700)).clear();
        bench.pass(699);
        assertThat(bench.sent()).isEmpty();
        bench.pass(1);
        assertThat(bench.sent()).containsExactly(LeaseBench.acquiring());
        bench.grant();
        assertThat(bench.isHeld(bench.hold())).isTrue();
    }

    /** C119: held by another is no outage, and says when to come again. */
    @Test
    void whoDoesNotWaitIsToldWhoHolds() {
        bench.acquire(0);
        bench.hello();
        bench.answer(new LeaseOutcome.Held(OTHER, 700));
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.HELD);
        assertThat(bench.failure().message()).contains("held by x", "700 ms");
        assertThat(bench.machine.openCalls()).isZero();
    }

    @Test
    void aWaitEndsWithOneMoreQuestion() {
        bench.acquire(1_000);
        bench.hello();
        bench.answer(new LeaseOutcome.Held(OTHER, 800));
        bench.pass(800).answer(new LeaseOutcome.Held(OTHER, 800));
        bench.pass(200);
        assertThat(bench.sent(LeaseCall.Acquire.class)).hasSize(3);
        bench.answer(new LeaseOutcome.Held(OTHER, 800));
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.HELD);
    }

    /** R4.3: a grant counts only if the lease still runs when its answer comes. */
    @Test
    void aGrantThatComesTooLateIsGivenBack() {
        bench.on(new LeaseEvent.Acquire(1, LeaseBench.acquiring(), 0, Long.MAX_VALUE));
        bench.hello();
        bench.stopped(9_900).grant();
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.LOST);
        assertThat(bench.sent(LeaseCall.Release.class)).hasSize(1);
    }

    /** A cancelled acquire whose fate is open is asked for once more, under its request id, and given back. */
    @Test
    void whatACancelledAcquireGotIsGivenBack() {
        long call = bench.acquire(Long.MAX_VALUE);
        bench.hello();
        ClientFrame.Lease acquire = bench.last();
        bench.on(new LeaseEvent.Cancel(call));
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.CANCELLED);
        assertThat(bench.failure().definite()).isFalse();
        bench.answer(acquire, new LeaseOutcome.Granted(LeaseBench.TOKEN, 10_000)); // nobody listens to this one
        assertThat(bench.last().call()).isEqualTo(acquire.call());
        bench.grant();
        assertThat(bench.last().call()).isInstanceOf(LeaseCall.Release.class);
        bench.answer(new LeaseOutcome.Released());
        assertThat(bench.machine.openCalls()).isZero();
        assertThat(bench.of(SessionAction.LeaseGranted.class)).isEmpty();
    }

    @Test
    void whatWasNeverSentIsDefinitelyNotDone() {
        long call = bench.acquire(Long.MAX_VALUE);
        bench.on(new LeaseEvent.Cancel(call));
        assertThat(bench.failure().definite()).isTrue();
        bench.pass(60_000);
        assertThat(bench.sent()).isEmpty();
    }

    /** Somebody else may repeat a request id that the caller chose, and must not lose what it is told to have. */
    @Test
    void whatAnotherMayRepeatIsNotGivenBack() {
        long call = bench.ask(LeaseBench.acquiring(), false);
        bench.hello();
        bench.clear().on(new LeaseEvent.Cancel(call));
        bench.pass(60_000);
        assertThat(bench.sent()).isEmpty();
    }

    /** C119: no answer in time is unknown, or certainly not done if every send was refused. */
    @Test
    void anUnansweredCallSaysWhatIsKnown() {
        bench.ask(LeaseBench.acquiring(), false);
        bench.hello();
        for (int i = 0; i < 30 && bench.of(SessionAction.Fail.class).isEmpty(); i++) {
            bench.frame(new ServerFrame.Refused(bench.last().callId(), ErrorCode.UNAVAILABLE, true, "no leader"));
            bench.pass(500);
        }
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        bench.clear().ask(LeaseBench.acquiring(), false);
        bench.frozen();
        for (int i = 0; i < 30; i++) {
            bench.pass(500);
            bench.hello();
        }
        assertThat(bench.failure().kind()).isEqualTo(Failure.Kind.UNKNOWN_OUTCOME);
    }

    @Test
    void closingGivesEverythingBackAndIsBounded() {
        LeasedHold hold = bench.held();
        bench.clear().on(new LeaseEvent.Close(5_000 * LeaseBench.MILLI));
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(bench.machine.isClosed()).isFalse();
        bench.answer(new LeaseOutcome.Released());
        assertThat(bench.machine.isClosed()).isTrue();

        LeaseBench silent = new LeaseBench();
        silent.held();
        silent.frozen().on(new LeaseEvent.Close(5_000 * LeaseBench.MILLI));
        silent.pass(4_999);
        assertThat(silent.machine.isClosed()).isFalse();
        silent.pass(1);
        assertThat(silent.machine.isClosed()).isTrue();
        assertThat(silent.machine.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
        silent.acquire(0);
        assertThat(silent.failure().kind()).isEqualTo(Failure.Kind.CLOSED);
    }

    /** C115: another deployment knows nothing of our holds, and may grant them to others. */
    @Test
    void aCellThatWasSetUpAnewHasNoneOfOurHolds() {
        LeasedHold hold = bench.held();
        bench.pass(3_000); // a renewal is out
        bench.clear().cut().pass(100);
        bench.frame(new ServerFrame.Hello("main", "d1", "r2"));
        assertThat(bench.isHeld(hold)).isTrue();
        bench.clear().cut().pass(100);
        bench.frame(new ServerFrame.Hello("main", "d2", "r1"));
        assertThat(bench.isHeld(hold)).isFalse();
        assertThat(bench.of(SessionAction.LeaseLost.class))
                .singleElement()
                .satisfies(lost -> assertThat(lost.reason()).contains("set up anew", "d1", "d2"));
        assertThat(bench.sent()).isEmpty();
    }

    private void refuse(ClientFrame.Lease call) {
        bench.frame(new ServerFrame.Refused(call.callId(), ErrorCode.UNAVAILABLE, true, "no leader"));
    }

    private ClientFrame.Lease asked(String name) {
        bench.ask(new LeaseCall.Inspect(new LeaseName(name)), false);
        return bench.last();
    }

    /** ADR 0015: calls to other shards go on while one has no leader. */
    @Test
    void oneShardWithoutALeaderInterruptsNoOther() {
        bench.ask(new LeaseCall.Inspect(new LeaseName("first")), false); // no hold, whose renewals come between
        bench.hello();
        bench.answer(new LeaseOutcome.Free());
        ClientFrame.Lease leaderless = asked("other");
        bench.stopped(1_400);
        ClientFrame.Lease healthy = asked("healthy");
        bench.clear();
        refuse(leaderless);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.answer(healthy, new LeaseOutcome.Free());
        refuseNext("other", 2);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        refuseNext("other", 1); // perhaps another endpoint reaches the leader that this one does not
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    private void refuseNext(String name, int times) {
        for (int i = 0; i < times; i++) {
            bench.pass(100);
            assertThat(bench.last().call().name().value()).isEqualTo(name);
            bench.stopped(1_400);
            refuse(bench.last());
        }
    }

    /** C38: an endpoint that reaches no leader at all is left. */
    @Test
    void anEndpointWithoutAnyLeaderIsLeft() {
        bench.held();
        ClientFrame.Lease first = asked("one");
        ClientFrame.Lease second = asked("two");
        bench.stopped(1_400).clear();
        refuse(first);
        refuse(second);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    /** C38: also if new calls are always on their way. */
    @Test
    void anEndpointWithoutAnyLeaderIsLeftByABusyClient() {
        bench.held();
        bench.clear();
        for (int i = 0; i < 4; i++) {
            ClientFrame.Lease call = asked("n" + i);
            bench.stopped(1_400);
            asked("m" + i);
            refuse(call);
        }
        assertThat(bench.of(SessionAction.CloseStream.class)).isNotEmpty();
    }

    /** ADR 0019: nothing is interrupted, and nothing new is asked of an endpoint that is about to end. */
    @Test
    void anEndpointThatDrainsIsLeftWhenItHasAnswered() {
        LeasedHold hold = bench.held();
        ClientFrame.Lease out = asked("other");
        bench.clear().frame(new ServerFrame.Draining("bye", 0));
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.ask(new LeaseCall.Inspect(LeaseBench.NAME), false);
        assertThat(bench.sent()).isEmpty();
        bench.answer(out, new LeaseOutcome.Free());
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(1);
        bench.hello();
        assertThat(bench.sent()).containsExactly(new LeaseCall.Inspect(LeaseBench.NAME));
        assertThat(bench.isHeld(hold)).isTrue();
        assertThat(bench.of(SessionAction.LeaseLost.class)).isEmpty();
    }

    /** It is not waited for without end; and who asks nothing leaves without coming back. */
    @Test
    void anEndpointThatDrainsAndDoesNotAnswerIsLeftToo() {
        bench.held();
        asked("other");
        bench.clear().frame(new ServerFrame.Draining("bye", 0));
        bench.pass(499);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);

        LeaseBench idle = new LeaseBench();
        idle.held();
        idle.clear().frame(new ServerFrame.Draining("bye", 0));
        assertThat(idle.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(idle.of(SessionAction.OpenStream.class)).isEmpty();
    }

    /** What is given back of calls that were given up is bounded. */
    @Test
    void clearingAwayHasABound() {
        bench.hello();
        int count = LeaseMachine.MAX_OPEN_CALLS / 10 + 100;
        long last = bench.acquire(Long.MAX_VALUE);
        bench.hello();
        for (int i = 1; i < count; i++) {
            last = bench.acquire(Long.MAX_VALUE);
        }
        for (long call = last - count + 1; call <= last; call++) {
            bench.on(new LeaseEvent.Cancel(call));
        }
        assertThat(bench.machine.openCalls()).isLessThanOrEqualTo(LeaseMachine.MAX_OPEN_CALLS / 10);
    }

    /** A machine without anything to do has no stream and wants no turns. */
    @Test
    void whoNeedsNothingConnectsNowhere() {
        bench.pass(60_000);
        assertThat(bench.actions).isEmpty();
        assertThat(bench.machine.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
