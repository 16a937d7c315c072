package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** Locks as the client sees them: R4.2, R4.3, R4.4. */
final class LockPaperTest {
    private static final FencingToken TOKEN = new FencingToken(10);
    private final Bench bench = new Bench();

    private Answer.Place placeState(boolean present, boolean held) {
        return new Answer.Place(Bench.place(10), TOKEN, present, held);
    }

    private void answerPlace(Answer answer) {
        bench.frame(new ServerFrame.ReadReply(bench.last(ClientFrame.Read.class).callId(), answer));
    }

    @Test
    void r42AnUncontendedAcquireIsOneRoundTrip() {
        bench.safe().clear();
        Hold hold = bench.held(10);
        assertThat(bench.of(SessionAction.Send.class)).hasSize(1);
        assertThat(hold.isHeldAt(bench.now())).isTrue();
        assertThat(hold.token()).isEqualTo(TOKEN);
        assertThat(bench.machine.heldAt(Bench.LOCK, bench.now())).isSameAs(hold);
    }

    @Test
    void r42AWaiterIsGrantedByOneEvent() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
        bench.grant(10).grant(10);
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
    }

    @Test
    void c57AGrantThatComesBeforeTheReplyIsNotLost() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        bench.grant(10).placed(10, false);
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
    }

    @Test
    void r42AfterAReconnectTheStateOfEachPlaceIsAskedSoThatALostGrantIsFound() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false);
        bench.cut().pass(100).attached();
        assertThat(bench.last(ClientFrame.Read.class).query()).isEqualTo(new Query.PlaceState(Bench.place(10), TOKEN));
        answerPlace(placeState(true, true));
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
    }

    @Test
    void aHoldWhosePlaceWasTakenAwayIsLostAfterAReconnect() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.cut().pass(100).attached();
        answerPlace(placeState(false, false));
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(bench.of(SessionAction.HoldLost.class)).hasSize(1);
    }

    @Test
    void aPlaceRemovedEventEndsTheHoldAndTheWait() {
        bench.safe();
        Hold hold = bench.held(9);
        long call = bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false);
        bench.frame(new ServerFrame.PlaceRemoved(Bench.SESSION, Bench.place(10), TOKEN));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
        bench.frame(new ServerFrame.PlaceRemoved(Bench.SESSION, Bench.place(9), new FencingToken(9)));
        assertThat(hold.isOver()).isTrue();
    }

    @Test
    void r43AGrantInJeopardyIsReportedLostAndGivenBack() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false).pass(12_000).attached();
        assertThat(bench.machine.state()).isEqualTo(SessionState.JEOPARDY);
        bench.clear().grant(10);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
        bench.on(new SessionEvent.Tick()).pass(1_250).confirm();
        assertThat(bench.operations()).contains(new Operation.Release(Bench.place(10), TOKEN));
    }

    @Test
    void r43AWaiterThatRidesThroughJeopardyIsGrantedOnceSafeAgain() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false).pass(12_000).attached();
        assertThat(bench.sent(ClientFrame.Read.class)).isEmpty(); // not asked in jeopardy: the answer would not count
        bench.confirm();
        answerPlace(placeState(true, true));
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
    }

    @Test
    void r44AHandleIsNotHeldFromBeforeItsReleaseIsSent() {
        bench.safe();
        Hold hold = bench.held(10);
        bench.clear().on(new SessionEvent.Release(bench.nextCall(), hold));
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(bench.operations()).containsExactly(new Operation.Release(Bench.place(10), TOKEN));
    }

    @Test
    void c17ARepeatedReleaseNamesItsOwnPlaceAndToken() {
        bench.safe();
        Hold first = bench.held(10);
        bench.on(new SessionEvent.Release(bench.nextCall(), first))
                .cut()
                .pass(100)
                .attached();
        Hold second = bench.held(11);
        long again = bench.nextCall();
        bench.clear().on(new SessionEvent.Release(again, first));
        assertThat(bench.of(SessionAction.Complete.class))
                .containsExactly(new SessionAction.Complete(again, new Outcome.Released(false)));
        assertThat(bench.operations()).isEmpty();
        assertThat(second.isHeldAt(bench.now())).isTrue();
    }

    @Test
    void r44AReleaseIsRetriedUntilItIsAnswered() {
        bench.safe();
        Hold hold = bench.held(10);
        long call = bench.nextCall();
        bench.on(new SessionEvent.Release(call, hold)).pass(2_600).clear().attached();
        assertThat(bench.operations()).containsExactly(new Operation.Release(Bench.place(10), TOKEN));
        bench.frame(new ServerFrame.Reply(2, new Outcome.Released(true)));
        assertThat(bench.of(SessionAction.Complete.class)).hasSize(1);
    }

    @Test
    void c62ATryThatFindsItTakenLeavesNothing() {
        bench.safe();
        long call = bench.acquire(0);
        assertThat(bench.operations()).last().matches(operation -> ((Operation.Acquire) operation).onlyIfFree());
        bench.reply(new Outcome.NotAcquired(Bench.LOCK, new FencingToken(3)));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.HELD);
        assertThat(bench.machine.openCalls()).isZero();
    }

    @Test
    void c62AWaitThatTimesOutRemovesItsPlace() {
        bench.safe();
        long call = bench.acquire(1_000);
        bench.placed(10, false).clear().pass(999);
        assertThat(bench.failed(call)).isFalse();
        bench.pass(1);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.HELD);
        assertThat(bench.operations()).containsExactly(new Operation.Release(Bench.place(10), TOKEN));
        bench.grant(10);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
    }

    @Test
    void c60ACancelWhileTheFateIsUnknownCancelsByIdUntilAnswered() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.on(new SessionEvent.Cancel(call));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.CANCELLED);
        bench.cut().pass(100).clear().attached();
        assertThat(bench.operations()).containsExactly(new Operation.Cancel(1)); // the create itself is not repeated
        bench.reply(new Outcome.Cancelled(Bench.place(10)));
        assertThat(bench.machine.openCalls()).isZero();
    }

    @Test
    void anAcquireThatNobodyAnswersIsNotAcquiredAndCleanedUp() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.pass(10_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        assertThat(bench.failure(call).message()).contains("/locks/a").contains("removed");
    }

    @Test
    void c59AWaiterEndsWhenItsSessionEnds() {
        bench.safe();
        long waiting = bench.acquire(Long.MAX_VALUE);
        bench.placed(10, false);
        long asking = bench.acquire(Long.MAX_VALUE);
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "ended by an operator"));
        assertThat(bench.failure(waiting).kind()).isEqualTo(Failure.Kind.SESSION_EXPIRED);
        assertThat(bench.failure(asking).kind()).isEqualTo(Failure.Kind.SESSION_EXPIRED);
        bench.grant(10);
        assertThat(bench.of(SessionAction.Granted.class)).isEmpty();
    }

    @Test
    void c45ARetriedAcquireIsOnePlaceAndOneRelease() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE);
        bench.cut().pass(100).attached();
        bench.placed(10, true);
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
        assertThat(bench.sent(ClientFrame.Request.class))
                .extracting(ClientFrame.Request::requestId)
                .containsExactly(1L, 1L);
    }

    @Test
    void aRepeatedAcquireWhosePlaceIsGoneIsLost() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.reply(new Outcome.Placed(Bench.place(10), TOKEN, false, false));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.LOST);
    }

    @Test
    void c103AVeryLongWaitDoesNotOverflow() {
        bench.safe();
        bench.acquire(Long.MAX_VALUE / 1_000_000L - 1);
        bench.placed(10, false).pass(11_000);
        bench.grant(10);
        assertThat(bench.of(SessionAction.Granted.class)).hasSize(1);
    }
}
