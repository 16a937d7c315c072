package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Ending;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** R3.6 and ADR 0010 as the client sees them: dead first, told next, acknowledged last. */
final class EndingPaperTest {
    private static final Ending.OfPlace OF_PLACE =
            new Ending.OfPlace(Bench.SESSION, Bench.place(10), new FencingToken(10));
    private static final Ending.OfSession OF_SESSION = new Ending.OfSession(Bench.SESSION);
    private static final Operation RELEASE = new Operation.Release(Bench.place(10), new FencingToken(10));

    private final Bench bench = new Bench();

    private Bench broken() {
        return bench.frame(new ServerFrame.EndingNotice(OF_PLACE, "broken by an operator"));
    }

    private Bench expired() {
        return bench.frame(new ServerFrame.EndingNotice(OF_SESSION, "expired by an operator"));
    }

    /** Everybody has returned from whatever they were told. */
    private Bench told() {
        for (SessionAction.AwaitTold await : bench.of(SessionAction.AwaitTold.class)) {
            bench.on(new SessionEvent.Told(await.number()));
        }
        return bench;
    }

    private int indexOf(Class<?> type) {
        for (int i = 0; i < bench.actions.size(); i++) {
            SessionAction action = bench.actions.get(i);
            if (type.isInstance(action)
                    || (action instanceof SessionAction.Send send && type.isInstance(send.frame()))) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void aBrokenHoldIsDeadThenToldThenAcknowledged() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.clear();
        broken();
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(hold.lostReason()).isEqualTo("broken by an operator");
        assertThat(bench.sent(ClientFrame.EndingAck.class)).isEmpty();
        assertThat(indexOf(SessionAction.HoldLost.class)).isLessThan(indexOf(SessionAction.AwaitTold.class));
        told();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_PLACE);
        assertThat(indexOf(ClientFrame.EndingAck.class)).isLessThan(indexOf(ClientFrame.KeepAlive.class));
        assertThat(bench.operations()).containsExactly(RELEASE); // ADR 0010, history 3
        assertThat(bench.machine.state()).isEqualTo(SessionState.SAFE);
    }

    @Test
    void theApplicationMayStopUntilTheLeaseThatWasPromisedIsOver() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.pass(2_000);
        broken();
        long left = 12_000 * 99 / 100 - 2_000;
        assertThat(hold.stoppingNanosAt(bench.now())).isEqualTo(left * 1_000_000);
        assertThat(hold.stoppingNanosAt(bench.now() + left * 1_000_000)).isZero();
        bench.on(new SessionEvent.ClockJump());
        assertThat(hold.stoppingNanosAt(bench.now())).isZero();
        bench.confirm();
        told();
        assertThat(hold.stoppingNanosAt(bench.now())).isZero();
    }

    @Test
    void aNoticeThatIsRepeatedIsAcknowledgedOnceTheApplicationHasStopped() {
        bench.safe();
        bench.held(10);
        broken();
        bench.cut().pass(100).attached();
        broken();
        assertThat(bench.sent(ClientFrame.EndingAck.class)).isEmpty();
        told();
        assertThat(bench.sent(ClientFrame.EndingAck.class)).hasSize(1);
        broken(); // the acknowledgement was lost
        assertThat(bench.sent(ClientFrame.EndingAck.class)).hasSize(2);
        assertThat(bench.of(SessionAction.HoldLost.class)).hasSize(1);
    }

    @Test
    void aWaitingPlaceHasNobodyToWaitFor() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false).clear();
        broken();
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_PLACE);
        assertThat(bench.operations()).containsExactly(RELEASE);
        bench.grant(10);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
    }

    /** ADR 0010, history 2: acknowledged truthfully, so the answer that comes after it must not make a hold. */
    @Test
    void aPlaceThatIsBrokenBeforeItsReplyComesNeverBecomesAHold() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.cut().pass(100).attached();
        bench.confirm();
        broken();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_PLACE);
        bench.placed(10, true);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
        assertThat(bench.operations()).endsWith(RELEASE);
    }

    @Test
    void anotherPlaceOfTheSameLockIsNotMeant() {
        bench.safe();
        Hold hold = bench.held(10);
        Ending later = new Ending.OfPlace(Bench.SESSION, Bench.place(11), new FencingToken(11));
        bench.frame(new ServerFrame.EndingNotice(later, "broken by an operator"));
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(later);
        assertThat(hold.isHeldAt(bench.now())).isTrue();
    }

    /** What cannot be remembered is not acknowledged: the session will end with its lease. */
    @Test
    void aClientThatCannotRememberDoesNotAcknowledge() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        for (int token = 100; token <= 100 + EarlyWords.MAX; token++) {
            Ending early = new Ending.OfPlace(Bench.SESSION, Bench.place(token), new FencingToken(token));
            bench.frame(new ServerFrame.EndingNotice(early, "broken by an operator"));
        }
        assertThat(bench.sent(ClientFrame.EndingAck.class)).hasSize(EarlyWords.MAX);
    }

    @Test
    void anExpiredSessionIsOverThenToldThenAcknowledged() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.clear();
        expired();
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(bench.machine.state()).isEqualTo(SessionState.EXPIRED);
        assertThat(bench.machine.stateReason()).isEqualTo("expired by an operator");
        assertThat(indexOf(SessionAction.StateChanged.class)).isLessThan(indexOf(SessionAction.AwaitTold.class));
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        told();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_SESSION);
        assertThat(bench.sent(ClientFrame.KeepAlive.class)).isEmpty();
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty(); // it might cut off the acknowledgement
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "expired by an operator"));
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.of(SessionAction.StateChanged.class)).hasSize(1);
        assertThat(bench.machine.openCalls()).isZero();
    }

    /** The application still works under the hold, so its place alone must not be let go either. */
    @Test
    void aPlaceIsNotAcknowledgedWhileItsSessionsEndIsBeingTold() {
        bench.safe();
        bench.held(10);
        expired();
        broken();
        assertThat(bench.sent(ClientFrame.EndingAck.class)).isEmpty();
        told();
        assertThat(bench.sent(ClientFrame.EndingAck.class)).hasSize(1);
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_SESSION);
        broken();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_PLACE);
    }

    @Test
    void aSessionIsNotWaitedForLongerThanALease() {
        bench.safe();
        bench.held(10);
        expired();
        bench.pass(Bench.LEASE - 100);
        assertThat(bench.machine.openCalls()).isEqualTo(1);
        bench.pass(200);
        assertThat(bench.machine.openCalls()).isZero();
        assertThat(bench.of(SessionAction.CloseStream.class)).isNotEmpty();
        told();
        assertThat(bench.sent(ClientFrame.EndingAck.class)).isEmpty();
    }

    @Test
    void theAcknowledgementOfASessionFollowsItToAnotherStream() {
        bench.safe();
        bench.held(10);
        expired();
        bench.cut().pass(100).attached();
        told();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_SESSION);
    }

    @Test
    void whoClosesHasStopped() {
        bench.safe();
        bench.held(10);
        expired();
        bench.on(new SessionEvent.Close(1_000_000_000L));
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_SESSION);
        assertThat(bench.machine.state()).isEqualTo(SessionState.EXPIRED);
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "expired by an operator"));
        assertThat(bench.machine.state()).isEqualTo(SessionState.CLOSED);
    }

    @Test
    void aCloseDoesNotWaitForEver() {
        bench.safe();
        expired();
        bench.on(new SessionEvent.Close(1_000_000_000L));
        bench.pass(1_100);
        assertThat(bench.machine.state()).isEqualTo(SessionState.CLOSED);
    }

    @Test
    void aReleaseThatCrossesTheNoticeNeedsNothingMore() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.on(new SessionEvent.Release(bench.nextCall(), hold));
        broken();
        assertThat(bench.last(ClientFrame.EndingAck.class).ending()).isEqualTo(OF_PLACE);
        bench.reply(new Outcome.Released(false));
        assertThat(bench.operations().stream().filter(RELEASE::equals)).hasSize(1);
        assertThat(bench.of(SessionAction.HoldLost.class)).isEmpty();
    }
}
