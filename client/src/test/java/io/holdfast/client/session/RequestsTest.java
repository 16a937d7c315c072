package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Exactly once (R2.7) and what becomes of calls that nobody answers. */
final class RequestsTest {
    private final Bench bench = new Bench();

    private static Outcome written() {
        return new Outcome.Written(new NodePath("/a"), 0, 9, true);
    }

    private List<Long> sentIds() {
        return bench.sent(ClientFrame.Request.class).stream()
                .map(ClientFrame.Request::requestId)
                .toList();
    }

    @Test
    void r27RequestsAreRepeatedUnderTheirIdsInOrderAfterAReconnect() {
        bench.safe();
        long first = bench.put("/a");
        bench.put("/b");
        bench.put("/c");
        bench.frame(new ServerFrame.Reply(2, written()));
        bench.clear().cut().pass(100).attached();

        assertThat(sentIds()).containsExactly(1L, 3L);
        bench.frame(new ServerFrame.Reply(1, written())).frame(new ServerFrame.Reply(1, written()));
        assertThat(bench.of(SessionAction.Complete.class))
                .extracting(SessionAction.Complete::callId)
                .containsExactly(first);
    }

    /** The stream lost its session between the two; the answer to the first is still on its way. */
    @Test
    void anAnswerThatComesWhileTheRequestWaitsToBeRepeatedSettlesIt() {
        bench.safe();
        long first = bench.put("/a");
        long second = bench.put("/b");
        bench.frame(new ServerFrame.Refused(2, ErrorCode.REPLACED, true, "the stream speaks for no session"));
        bench.frame(new ServerFrame.Reply(1, written()));
        bench.clear().pass(100);
        bench.frame(new ServerFrame.Attached(
                        Bench.SESSION, bench.last(ClientFrame.Attach.class).attachment(), 1))
                .confirm();

        assertThat(sentIds()).containsExactly(2L);
        bench.frame(new ServerFrame.Reply(2, written()));
        assertThat(bench.of(SessionAction.Complete.class))
                .extracting(SessionAction.Complete::callId)
                .containsExactly(second);
        bench.clear().pass(3_000);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        assertThat(first).isLessThan(second);
    }

    @Test
    void anAcquireThatNobodyAnswersIsNotAcquiredAndSaysSoWithoutContradiction() {
        bench.safe();
        long call = bench.acquire(Long.MAX_VALUE);
        bench.pass(Bench.TIMEOUT);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        assertThat(bench.failure(call).message())
                .contains(Bench.LOCK.value(), "is not acquired")
                .doesNotContain("may or may not", "certainly");
    }

    @Test
    void r27WatermarkIsTheHighestIdBelowWhichAllAnswersWereSeen() {
        bench.safe();
        bench.put("/a");
        bench.put("/b");
        bench.put("/c");
        bench.frame(new ServerFrame.Reply(2, written()));
        bench.put("/d");
        assertThat(bench.last(ClientFrame.Request.class).watermark()).isZero();
        bench.frame(new ServerFrame.Reply(1, written()));
        bench.put("/e");
        assertThat(bench.last(ClientFrame.Request.class).watermark()).isEqualTo(2);
    }

    @Test
    void r27NoIdBeyondTheWindowIsSent() {
        bench.safe();
        LongStream.range(0, 2_000).forEach(i -> bench.put("/a" + i));
        assertThat(sentIds()).hasSize(Requests.ORDINARY_WINDOW);
        bench.frame(new ServerFrame.Reply(2, written()));
        assertThat(sentIds()).hasSize(Requests.ORDINARY_WINDOW);
        bench.frame(new ServerFrame.Reply(1, written()));
        assertThat(sentIds()).hasSize(Requests.ORDINARY_WINDOW + 2);
    }

    @Test
    void aWindowFullOfGivenUpRequestsIsCleanedUpAndOpensAgain() {
        bench.safe();
        LongStream.range(0, Requests.ORDINARY_WINDOW).forEach(i -> bench.put("/a" + i));
        for (int i = 0; i < 9; i++) {
            bench.pass(1_200);
            if (!bench.sent(ClientFrame.KeepAlive.class).isEmpty()) {
                bench.confirm();
            }
        }
        List<ClientFrame.Request> cancels = bench.sent(ClientFrame.Request.class).stream()
                .filter(request -> request.operation() instanceof Operation.Cancel)
                .toList();
        assertThat(cancels).hasSize(Requests.ORDINARY_WINDOW);
        assertThat(cancels).allMatch(request -> request.watermark() == 0 && request.requestId() <= 1_024);
        cancels.forEach(cancel -> bench.frame(new ServerFrame.Reply(cancel.requestId(), new Outcome.Cancelled(null))));
        bench.clear().put("/b");
        assertThat(bench.last(ClientFrame.Request.class).watermark()).isEqualTo(1_024);
    }

    @Test
    void aCallThatWasNeverSentIsDefinitelyNotDone() {
        long call = bench.put("/a");
        bench.pass(9_999);
        assertThat(bench.failed(call)).isFalse();
        bench.pass(1);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        assertThat(bench.failure(call).definite()).isTrue();
        assertThat(bench.failure(call).message()).contains("/a").contains("a:1,b:2");
    }

    @Test
    void c46ACallThatWasSentHasAnUnknownOutcomeAndIsNotRepeated() {
        bench.safe();
        long call = bench.put("/a");
        bench.pass(2_500).hello();
        bench.pass(10_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNKNOWN_OUTCOME);
        assertThat(bench.failure(call).definite()).isFalse();
        bench.clear().attached().confirm();
        assertThat(bench.operations()).containsExactly(new Operation.Cancel(1));
    }

    @Test
    void theAnswerToAGivenUpRequestDoesNotLetTheWatermarkPassItBeforeItsCancelIsAnswered() {
        bench.safe();
        long call = bench.put("/a");
        bench.on(new SessionEvent.Cancel(call));
        assertThat(bench.operations().get(1)).isEqualTo(new Operation.Cancel(1));
        bench.frame(new ServerFrame.Reply(1, written())).clear().put("/b");
        assertThat(bench.last(ClientFrame.Request.class).watermark()).isZero();
        bench.frame(new ServerFrame.Reply(2, new Outcome.Cancelled(null))).put("/c");
        assertThat(bench.last(ClientFrame.Request.class).watermark()).isEqualTo(2);
    }

    @Test
    void aDefiniteRefusalForWantOfALeaderIsRepeatedUntilTheCallsDeadline() {
        bench.safe();
        long call = bench.put("/a");
        bench.frame(new ServerFrame.Refused(1, ErrorCode.UNAVAILABLE, true, "no leader"));
        bench.clear().pass(100);
        assertThat(sentIds()).containsExactly(1L);
        bench.frame(new ServerFrame.Refused(1, ErrorCode.BUSY, true, "full"));
        bench.pass(200);
        bench.frame(new ServerFrame.Reply(1, written()));
        assertThat(bench.of(SessionAction.Complete.class)).hasSize(1);
        assertThat(bench.failed(call)).isFalse();
    }

    @Test
    void aCallThatWasOnlyEverRefusedIsDefinitelyNotDone() {
        bench.safe();
        long call = bench.put("/a");
        bench.frame(new ServerFrame.Refused(1, ErrorCode.UNAVAILABLE, true, "no leader"));
        bench.cut();
        bench.pass(10_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
    }

    @Test
    void aRequestThatMetAnUnboundStreamIsRepeatedOnceItIsBound() {
        bench.safe();
        long call = bench.put("/a");
        bench.frame(new ServerFrame.Refused(1, ErrorCode.FORBIDDEN, true, "attach first"))
                .pass(100);
        bench.frame(new ServerFrame.Attached(Bench.SESSION, 1, 1));
        assertThat(sentIds()).containsExactly(1L, 1L);
        bench.frame(new ServerFrame.Refused(1, ErrorCode.FORBIDDEN, true, "not yours"));
        assertThat(bench.failure(call).code()).isEqualTo(ErrorCode.FORBIDDEN);
    }

    @Test
    void aRepeatedOpenOfASessionThatIsEndingOpensAnother() {
        bench.on(new SessionEvent.OpenSession()).hello();
        byte[] first = bench.last(ClientFrame.Open.class).secret();
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "it is expiring"))
                .pass(100);
        assertThat(bench.sent(ClientFrame.Open.class)).hasSize(2);
        assertThat(first).isNotNull();
        bench.opened();
        assertThat(bench.states()).containsExactly(SessionState.SAFE);
    }

    @Test
    void otherRefusalsAreReported() {
        bench.safe();
        long call = bench.put("/a");
        bench.frame(new ServerFrame.Refused(1, ErrorCode.LIMIT, true, "too many"));
        assertThat(bench.failure(call).code()).isEqualTo(ErrorCode.LIMIT);
        long second = bench.put("/b");
        bench.frame(new ServerFrame.Reply(2, new Outcome.Failed(ErrorCode.BAD_VERSION, "version is 3")));
        assertThat(bench.failure(second).kind()).isEqualTo(Failure.Kind.REFUSED);
        assertThat(bench.failure(second).message()).contains("/b").contains("version is 3");
    }

    @Test
    void r27ARetryThatFindsItsSessionEndedReportsUnknown() {
        bench.safe();
        long call = bench.put("/a");
        bench.cut().pass(100).attached();
        bench.frame(new ServerFrame.Reply(1, new Outcome.Failed(ErrorCode.SESSION_EXPIRED, "it ended")));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.SESSION_EXPIRED);
        assertThat(bench.failure(call).definite()).isFalse();
        assertThat(bench.machine.state()).isEqualTo(SessionState.EXPIRED);
    }

    @Test
    void r27AOneShotIsNeverRepeatedOnceSent() {
        long call = bench.nextCall();
        Operation delete = new Operation.Delete(new NodePath("/a"), Operation.ANY_VERSION);
        bench.on(new SessionEvent.OneShot(call, delete, 10_000_000_000L)).hello();
        assertThat(bench.sent(ClientFrame.OneShot.class)).hasSize(1);
        assertThat(bench.sent(ClientFrame.Open.class)).isEmpty();
        bench.cut().pass(20_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNKNOWN_OUTCOME);
        assertThat(bench.sent(ClientFrame.OneShot.class)).hasSize(1);
    }

    @Test
    void readsNeedNoSessionAndAreRepeated() {
        long call = bench.nextCall();
        Query query = new Query.GetValue(new NodePath("/a"));
        bench.on(new SessionEvent.Read(call, query, 10_000_000_000L)).hello();
        bench.cut().pass(100).hello();
        List<ClientFrame.Read> reads = bench.sent(ClientFrame.Read.class);
        assertThat(reads).hasSize(2);
        Answer answer = new Answer.Value(new NodePath("/a"), null, 0, 0, 0);
        bench.frame(new ServerFrame.ReadReply(reads.get(0).callId(), answer));
        assertThat(bench.of(SessionAction.Answered.class)).containsExactly(new SessionAction.Answered(call, answer));
        assertThat(bench.machine.state()).isEqualTo(SessionState.CONNECTING);
        assertThat(bench.machine.openCalls()).isZero();
    }

    /** R4.4: otherwise the lock would stay taken as long as the session lives. */
    @Test
    void aReleaseIsTakenHoweverManyCallsAreOpen() {
        bench.safe();
        Hold hold = bench.held(10);
        for (int i = 0; i <= SessionMachine.MAX_OPEN_CALLS; i++) {
            bench.put("/a");
        }
        long release = bench.nextCall();
        bench.clear().on(new SessionEvent.Release(release, hold));
        assertThat(bench.failed(release)).isFalse();
    }

    @Test
    void c33EachAttachCarriesAHigherNumberAndOldStreamsAreNotHeard() {
        bench.safe();
        long old = bench.stream;
        bench.cut().pass(100).attached().cut().pass(100).attached();
        assertThat(bench.sent(ClientFrame.Attach.class))
                .extracting(ClientFrame.Attach::attachment)
                .containsExactly(1L, 2L);
        bench.on(new SessionEvent.StreamFrame(old, new ServerFrame.SessionEnded(Bench.SESSION, "old news")));
        bench.on(new SessionEvent.StreamClosed(old, "old news"));
        assertThat(bench.machine.state()).isEqualTo(SessionState.SAFE);
    }

    @Test
    void c73AnInterruptionIsRiddenThroughOnTheSameStreamThenOnTheNext() {
        bench.safe();
        bench.put("/a");
        bench.frame(new ServerFrame.Interrupted("leader changed", null)).pass(100);
        assertThat(bench.last(ClientFrame.Attach.class).attachment()).isEqualTo(1);
        bench.frame(new ServerFrame.Refused(0, ErrorCode.UNAVAILABLE, true, "no leader"))
                .pass(200);
        assertThat(bench.last(ClientFrame.Attach.class).attachment()).isEqualTo(2);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(1);
        bench.frame(new ServerFrame.Refused(0, ErrorCode.UNAVAILABLE, true, "no leader"))
                .pass(300);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(2);
        bench.attached();
        assertThat(sentIds()).containsExactly(1L, 1L);
    }

    @Test
    void inJeopardyReadsAndWritesWait() {
        bench.safe().pass(12_000);
        assertThat(bench.machine.state()).isEqualTo(SessionState.JEOPARDY);
        bench.put("/a");
        bench.attached();
        assertThat(bench.operations()).isEmpty();
        bench.confirm();
        assertThat(bench.operations()).hasSize(1);
    }

    @Test
    void anOpenThatIsRefusedForGoodFailsWhoWaitsAndMayBeTriedAgain() {
        long call = bench.put("/a");
        bench.hello().frame(new ServerFrame.Refused(0, ErrorCode.LIMIT, true, "too many sessions"));
        assertThat(bench.failure(call).code()).isEqualTo(ErrorCode.LIMIT);
        bench.put("/b");
        bench.opened();
        assertThat(bench.operations()).hasSize(1);
    }

    @Test
    void closingSendsCloseSessionAndEndsWithItsAnswer() {
        bench.safe();
        Hold hold = bench.held(5);
        long waiting = bench.acquire(Long.MAX_VALUE);
        bench.placed(6, false).clear();
        bench.on(new SessionEvent.Close(5_000_000_000L));
        assertThat(hold.isHeldAt(bench.now())).isFalse();
        assertThat(bench.failure(waiting).kind()).isEqualTo(Failure.Kind.CLOSED);
        assertThat(bench.operations()).containsExactly(new Operation.CloseSession());
        bench.reply(new Outcome.SessionClosed());
        assertThat(bench.states()).containsExactly(SessionState.CLOSED);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.failure(bench.put("/a")).kind()).isEqualTo(Failure.Kind.CLOSED);
    }

    @Test
    void closingIsBoundedWhenNobodyAnswers() {
        bench.safe().cut().on(new SessionEvent.Close(5_000_000_000L)).pass(4_999);
        assertThat(bench.machine.state()).isEqualTo(SessionState.SAFE);
        bench.pass(1);
        assertThat(bench.machine.state()).isEqualTo(SessionState.CLOSED);
        assertThat(bench.machine.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
