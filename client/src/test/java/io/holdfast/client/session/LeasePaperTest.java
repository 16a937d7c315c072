package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** The lease clock, sentence by sentence: R1.2, R1.3, R3.4, R3.5. */
final class LeasePaperTest {
    private static final long FULL = 11_880; // 12 s · (1 − 1 %)

    private final Bench bench = new Bench();

    private boolean safeAfter(long millis) {
        return bench.machine.trust().safeAt(bench.now() + millis * 1_000_000L);
    }

    @Test
    void r12CountsFromTheSendThatWasConfirmedNotFromTheReply() {
        bench.safe();
        bench.pass(4_000); // a third of the lease: the KeepAlive goes out
        assertThat(bench.sent(ClientFrame.KeepAlive.class)).hasSize(1);
        bench.stopped(1_000).confirm();

        assertThat(safeAfter(FULL - 1_001)).isTrue();
        assertThat(safeAfter(FULL - 1_000)).isFalse();
    }

    @Test
    void r12CountsFromTheNamedSendNotFromALaterOne() {
        bench.safe();
        bench.pass(4_000);
        long first = bench.last(ClientFrame.KeepAlive.class).sendNumber();
        bench.pass(1_250); // repeated while unanswered
        assertThat(bench.sent(ClientFrame.KeepAlive.class)).hasSize(2);
        bench.frame(new ServerFrame.KeepAliveAck(first, true, 1));

        assertThat(safeAfter(FULL - 1_251)).isTrue();
        assertThat(safeAfter(FULL - 1_250)).isFalse();
    }

    /** ADR 0020: it may wait at the front end for others, but no client in a hurry does. */
    @Test
    void r35AKeepAliveMayWaitForOthersUnlessItsClientIsInAHurry() {
        bench.safe();
        bench.pass(4_000);
        assertThat(bench.last(ClientFrame.KeepAlive.class).patienceMillis()).isEqualTo(1_000);
        bench.pass(1_250); // the repeat of one that was not answered
        assertThat(bench.last(ClientFrame.KeepAlive.class).patienceMillis()).isZero();
    }

    @Test
    void r35AfterAReconnectAKeepAliveDoesNotWait() {
        bench.safe();
        bench.pass(1_000).cut().pass(100);
        bench.attached();
        assertThat(bench.last(ClientFrame.KeepAlive.class).patienceMillis()).isZero();
    }

    @Test
    void r12CountsAnOpenedSessionFromTheFirstOpen() {
        bench.on(new SessionEvent.OpenSession()).hello();
        bench.pass(1_000).cut().pass(100);
        bench.hello();
        assertThat(bench.sent(ClientFrame.Open.class)).hasSize(2);
        long firstOpenAt = 1_000;
        bench.opened();

        assertThat(bench.states()).containsExactly(SessionState.SAFE);
        assertThat(bench.machine.trust().localExpiryNanos()).isEqualTo((firstOpenAt + FULL) * 1_000_000L);
    }

    @Test
    void aSessionOpenedTooLateIsNotSafeUntilAKeepAliveIsConfirmed() {
        bench.on(new SessionEvent.OpenSession()).hello();
        for (int i = 0; i < 7; i++) {
            bench.pass(2_000).cut().pass(1_000).hello();
        }
        bench.opened();
        assertThat(bench.states()).isEmpty();
        bench.confirm();
        assertThat(bench.states()).containsExactly(SessionState.SAFE);
    }

    @Test
    void r12OneLostRenewalNeverEndsAHold() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(4_000); // lost
        bench.pass(1_250).confirm();
        bench.pass(2_000);
        assertThat(hold.isHeldAt(bench.now())).isTrue();
        assertThat(bench.states()).containsExactly(SessionState.SAFE);
    }

    @Test
    void r35OnlyAReplyMarkedRenewedExtends() {
        bench.safe();
        bench.pass(4_000);
        bench.frame(new ServerFrame.KeepAliveAck(
                bench.last(ClientFrame.KeepAlive.class).sendNumber(), false, 1));
        assertThat(safeAfter(FULL - 4_001)).isTrue();
        assertThat(safeAfter(FULL - 4_000)).isFalse();
    }

    @Test
    void r35AReplyThatNamesNoSendOfThisStreamIsIgnored() {
        bench.safe();
        bench.pass(4_000);
        long number = bench.last(ClientFrame.KeepAlive.class).sendNumber();
        bench.cut().pass(100).attached();
        bench.frame(new ServerFrame.KeepAliveAck(number, true, 1));
        bench.frame(new ServerFrame.KeepAliveAck(number + 1_000, true, 1));
        assertThat(safeAfter(FULL - 4_100)).isFalse();
    }

    @Test
    void r13DeadlinesAreJudgedBeforeTheFramesOfTheTurn() {
        bench.safe();
        Hold hold = bench.held(10);
        long call = bench.acquire(Long.MAX_VALUE);
        bench.placed(11, false);
        bench.pass(4_000);
        bench.clear().stopped(20_000); // the process is stopped; answers wait in its mailbox
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        bench.grant(11);

        assertThat(bench.actions.get(0)).isInstanceOf(SessionAction.StateChanged.class);
        assertThat(bench.states()).containsExactly(SessionState.JEOPARDY);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
    }

    @Test
    void r13AConfirmationFromBeforeThePauseDoesNotReviveWhatIsOver() {
        bench.safe().pass(4_000).clear().stopped(20_000);
        bench.frame(new ServerFrame.KeepAliveAck(2, true, 1));
        assertThat(bench.states()).containsExactly(SessionState.JEOPARDY);
    }

    @Test
    void r13AWallClockThatGainsSuspendsTrustUntilALaterKeepAliveIsConfirmed() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(4_000);
        long before = bench.last(ClientFrame.KeepAlive.class).sendNumber();
        bench.clear().on(new SessionEvent.ClockJump());

        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(bench.sent(ClientFrame.KeepAlive.class)).hasSize(1); // at once
        bench.frame(new ServerFrame.KeepAliveAck(before, true, 1));
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        bench.confirm();
        assertThat(hold.isHeldAt(bench.now())).isTrue();
        assertThat(bench.states()).containsExactly(SessionState.JEOPARDY, SessionState.SAFE);
    }

    @Test
    void r34JeopardyThenSafeWithTheSameHold() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(12_000);
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(hold.isOver()).isFalse();
        bench.attached().confirm();

        assertThat(bench.states()).containsExactly(SessionState.SAFE, SessionState.JEOPARDY, SessionState.SAFE);
        assertThat(hold.isHeldAt(bench.now())).isTrue();
        assertThat(hold.token().value()).isEqualTo(10);
    }

    @Test
    void c101ExpiredByItsOwnClockWhenGraceEnds() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(FULL + 44_999);
        assertThat(bench.machine.state()).isEqualTo(SessionState.JEOPARDY);
        long waiting = bench.put("/config/x");
        bench.pass(1);

        assertThat(bench.states()).containsExactly(SessionState.SAFE, SessionState.JEOPARDY, SessionState.EXPIRED);
        assertThat(bench.failure(waiting).kind()).isEqualTo(Failure.Kind.SESSION_EXPIRED);
        assertThat(bench.failure(waiting).definite()).isTrue();
        assertThat(bench.failure(waiting).code()).as("the cell said nothing").isNull();
        assertThat(bench.failure(bench.put("/config/y")).code()).isNull();
        assertThat(hold.isOver()).isTrue();
        assertThat(bench.of(SessionAction.HoldLost.class)).hasSize(1);
        assertThat(bench.machine.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void c35ExpiredIsToldWhenTheCellSaysSoOnReconnecting() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(20_500).hello(); // while it is connecting
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "lease ran out"));
        assertThat(bench.states()).containsExactly(SessionState.SAFE, SessionState.JEOPARDY, SessionState.EXPIRED);
        assertThat(hold.lostReason()).contains("lease ran out");
        assertThat(bench.failure(bench.put("/a")).code()).isEqualTo(ErrorCode.SESSION_EXPIRED);
        bench.pass(100_000);
        assertThat(bench.states()).hasSize(3);
    }

    /** Seed 702736: it was taken for the end of the next session, which was then opened twice. */
    @Test
    void r31AnEndThatIsToldTwiceEndsOneOpenOnly() {
        bench.on(new SessionEvent.OpenSession()).hello();
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "gone")).pass(1_000);
        assertThat(bench.sent(ClientFrame.Open.class)).hasSize(2);
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "gone")).pass(1_000);
        assertThat(bench.sent(ClientFrame.Open.class)).hasSize(2);
    }

    /** The cell would renew the one of the later Open, and the client believe in the one of the earlier. */
    @Test
    void r31AnAnswerToAnOpenWithAnotherSecretIsNotTaken() {
        bench.on(new SessionEvent.OpenSession()).hello();
        long first = bench.last(ClientFrame.Open.class).sendNumber();
        bench.frame(new ServerFrame.SessionEnded(new SessionId(5), "gone")).pass(1_000);
        assertThat(bench.sent(ClientFrame.Open.class)).hasSize(2);
        bench.frame(new ServerFrame.Opened(first, new SessionId(6), Bench.LEASE, 1));
        assertThat(bench.states()).isEmpty();
        bench.opened();
        assertThat(bench.states()).containsExactly(SessionState.SAFE);
        assertThat(bench.machine.session()).isEqualTo(Bench.SESSION);
    }

    @Test
    void c115AnotherDeploymentUnderTheSameAddressEndsTheSession() {
        bench.safe();
        bench.cut().pass(100);
        bench.frame(new ServerFrame.Hello("main", "d2", "r1"));
        assertThat(bench.machine.state()).isEqualTo(SessionState.EXPIRED);
        assertThat(bench.machine.stateReason()).contains("d2").contains("d1");
        assertThat(bench.failure(bench.put("/a")).kind()).isEqualTo(Failure.Kind.SESSION_EXPIRED);
    }
}
