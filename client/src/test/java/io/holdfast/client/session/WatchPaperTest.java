package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R5.1–R5.4 in the client, sentence by sentence; the test plays the cell. */
final class WatchPaperTest {
    private static final NodePath PATH = new NodePath("/config/a");
    private static final byte[] BYTES = {1};
    private static final Query GET = new Query.GetValue(PATH);
    private static final Query LIST = new Query.ListChildren(PATH, "", Limits.MAX_PAGE_ENTRIES);

    private final Bench bench = new Bench().safe();

    private static Answer value(long revision) {
        return new Answer.Value(PATH, BYTES, revision, 3, revision);
    }

    private long watch() {
        long call = bench.nextCall();
        bench.on(new SessionEvent.Watch(call, GET, Long.MAX_VALUE));
        return call;
    }

    private long listen(Query query) {
        long id = bench.nextCall();
        bench.on(new SessionEvent.Listen(id, query));
        return id;
    }

    private ClientFrame.Read read() {
        return bench.last(ClientFrame.Read.class);
    }

    private void answer(Answer answer, long revision) {
        bench.frame(new ServerFrame.ReadReply(read().callId(), answer, revision));
    }

    private void fire(long watch, long revision) {
        bench.frame(new ServerFrame.WatchesFired(Bench.SESSION, revision, List.of(watch)));
    }

    private void reconnect() {
        bench.cut();
        bench.pass(1_000);
        bench.attached();
    }

    private ClientFrame.Watch page() {
        return bench.last(ClientFrame.Watch.class);
    }

    private void claimed(long revision) {
        bench.frame(new ServerFrame.Watched(page().callId(), revision));
    }

    // ---- one event

    @Test
    void aWatchGoesOutWithItsReadAndTellsOnce() {
        long call = watch();
        assertThat(read()).isEqualTo(new ClientFrame.Read(read().callId(), GET, 1));
        answer(value(5), 6);
        assertThat(bench.of(SessionAction.Watching.class))
                .containsExactly(new SessionAction.Watching(call, value(5), 6));
        fire(1, 9);
        fire(1, 9);
        assertThat(bench.of(SessionAction.WatchFired.class)).containsExactly(new SessionAction.WatchFired(call, 9));
        assertThat(bench.machine.openWatches()).isZero();
        assertThat(bench.sent(ClientFrame.Watch.class)).isEmpty(); // what has fired needs no withdrawing
    }

    /** C55. */
    @Test
    void anEventThatOvertakesItsAnswerIsKept() {
        long call = watch();
        fire(1, 9);
        assertThat(bench.of(SessionAction.WatchFired.class)).isEmpty();
        answer(value(5), 8);
        assertThat(bench.of(SessionAction.Watching.class)).hasSize(1);
        assertThat(bench.of(SessionAction.WatchFired.class))
                .extracting(SessionAction.WatchFired::callId)
                .containsExactly(call);
    }

    @Test
    void thereIsNothingToWatchUnlessTheStreamSpeaksForTheSession() {
        Bench fresh = new Bench();
        fresh.on(new SessionEvent.Watch(1, GET, Long.MAX_VALUE)).hello();
        assertThat(fresh.sent(ClientFrame.Read.class)).isEmpty();
        fresh.opened();
        assertThat(fresh.sent(ClientFrame.Read.class)).hasSize(1);
    }

    @Test
    void aWatchOfAnotherSessionIsNotOurs() {
        watch();
        answer(value(5), 6);
        bench.frame(new ServerFrame.WatchesFired(new io.holdfast.model.SessionId(99), 9, List.of(1L)));
        assertThat(bench.of(SessionAction.WatchFired.class)).isEmpty();
    }

    // ---- nobody wants it any more

    @Test
    void whatNobodyWantsIsWithdrawnBehindItsRead() {
        long call = watch();
        bench.on(new SessionEvent.Cancel(call));
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.CANCELLED);
        assertThat(page().dropped()).containsExactly(1L);
        answer(value(5), 6);
        assertThat(bench.of(SessionAction.Watching.class)).isEmpty();
        claimed(6);
        assertThat(bench.machine.openCalls()).isZero();
    }

    @Test
    void anArmedWatchIsWithdrawnOnceAndPutOffWhileThePageIsOnItsWay() {
        long first = watch();
        answer(value(5), 6);
        long second = watch();
        answer(value(5), 6);
        bench.on(new SessionEvent.Unwatch(first));
        bench.on(new SessionEvent.Unwatch(first));
        bench.on(new SessionEvent.Unwatch(second));
        assertThat(bench.sent(ClientFrame.Watch.class)).hasSize(1);
        claimed(7);
        assertThat(bench.sent(ClientFrame.Watch.class))
                .extracting(ClientFrame.Watch::dropped)
                .containsExactly(List.of(1L), List.of(2L));
    }

    @Test
    void aReadThatWasNotAnsweredInTimeLeavesNoWatchBehind() {
        long call = bench.nextCall();
        bench.on(new SessionEvent.Watch(call, GET, 1_000_000_000L));
        bench.pass(1_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        assertThat(page().dropped()).containsExactly(1L);
    }

    // ---- reconnects (R5.3)

    @Test
    void afterAReconnectItIsClaimedWithWhatWasSeen() {
        long call = watch();
        answer(value(5), 6);
        reconnect();
        bench.confirm();
        assertThat(page().claims()).containsExactly(new ClientFrame.WatchClaim(1, WatchKind.VALUE, PATH, 6));
        claimed(20);
        reconnect();
        bench.confirm();
        assertThat(page().claims()).containsExactly(new ClientFrame.WatchClaim(1, WatchKind.VALUE, PATH, 20));
        fire(1, 30);
        claimed(30);
        assertThat(bench.of(SessionAction.WatchFired.class)).containsExactly(new SessionAction.WatchFired(call, 30));
    }

    /** R5.2 across a reconnect: no reply may show what a watch of ours has not told. */
    @Test
    void nothingElseIsAskedForBeforeTheClaimsAreAnswered() {
        watch();
        answer(value(5), 6);
        bench.cut();
        bench.pass(1_000);
        bench.clear();
        bench.put("/config/a");
        bench.on(new SessionEvent.Read(bench.nextCall(), GET, Long.MAX_VALUE));
        bench.attached();
        bench.confirm();
        assertThat(bench.sent(ClientFrame.Request.class)).isEmpty();
        assertThat(bench.sent(ClientFrame.Read.class)).isEmpty();
        claimed(9);
        assertThat(bench.sent(ClientFrame.Request.class)).hasSize(1);
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(1);
    }

    @Test
    void aReadThatWasOnItsWayIsRepeatedWithItsWatch() {
        watch();
        reconnect();
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(2).allMatch(read -> read.watch() == 1);
        assertThat(bench.sent(ClientFrame.Watch.class)).isEmpty();
        answer(value(5), 6);
        assertThat(bench.of(SessionAction.Watching.class)).hasSize(1);
    }

    /** C53. */
    @Test
    void manyWatchesAreClaimedInPages() {
        int count = 2 * Limits.MAX_PAGE_ENTRIES + 1;
        for (int i = 0; i < count; i++) {
            watch();
            answer(value(5), 6);
        }
        reconnect();
        bench.confirm();
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assertThat(bench.sent(ClientFrame.Watch.class)).hasSize(i + 1);
            assertThat(page().claims()).hasSizeLessThanOrEqualTo(Limits.MAX_PAGE_ENTRIES);
            page().claims().forEach(claim -> all.add(claim.watch()));
            claimed(7);
        }
        assertThat(all).hasSize(count).doesNotHaveDuplicates();
        assertThat(bench.sent(ClientFrame.Watch.class)).hasSize(3);
    }

    @Test
    void aPageOfLongNamesIsCutByBytes() {
        for (int i = 0; i < 300; i++) {
            long call = bench.nextCall();
            Query query = new Query.GetValue(new NodePath("/" + "p".repeat(1_000) + i));
            bench.on(new SessionEvent.Watch(call, query, Long.MAX_VALUE));
            answer(value(5), 6);
        }
        reconnect();
        bench.confirm();
        assertThat(page().claims()).hasSizeBetween(50, Limits.MAX_WATCH_PAGE_BYTES / 1_000);
    }

    @Test
    void aPageThatIsRefusedIsSentAgain() {
        watch();
        answer(value(5), 6);
        reconnect();
        bench.confirm();
        long refused = page().callId();
        bench.frame(new ServerFrame.Refused(refused, ErrorCode.UNAVAILABLE, true, "the leader changed"));
        bench.pass(5_000);
        bench.confirm();
        assertThat(page().callId()).isNotEqualTo(refused);
        assertThat(page().claims()).hasSize(1);
    }

    @Test
    void aWatchThatDoesNotFitEndsAndTheCallsGoOn() {
        long call = watch();
        answer(value(5), 6);
        reconnect();
        bench.confirm();
        bench.frame(new ServerFrame.Refused(page().callId(), ErrorCode.LIMIT, true, "full"));
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .extracting(SessionAction.WatchEnded::id)
                .containsExactly(call);
        bench.clear();
        bench.put("/x");
        assertThat(bench.sent(ClientFrame.Request.class)).hasSize(1);
    }

    /** Neither an old stream's event nor its answer counts for a watch that was asked for again. */
    @Test
    void aSilentStreamIsGivenUp() {
        watch();
        answer(value(5), 6);
        bench.pass(10_000); // nobody answers the KeepAlives: silence proves nothing (C49)
        bench.attached();
        bench.confirm();
        assertThat(page().claims()).hasSize(1);
    }

    /** The attach that follows on the same stream takes out what the old read registered (R5.3). */
    @Test
    void anAnswerThatComesAfterTheBindingWasLostDoesNotArm() {
        watch();
        bench.frame(new ServerFrame.Refused(0, ErrorCode.BUSY, true, "too much waits")); // a KeepAlive
        answer(value(5), 6);
        assertThat(bench.of(SessionAction.Watching.class)).isEmpty();
        bench.pass(1_000).attached();
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(2).allMatch(read -> read.watch() == 1);
        answer(value(7), 8);
        assertThat(bench.of(SessionAction.Watching.class)).hasSize(1);
    }

    /** R5.2: whoever answers it now may not know yet that we watch what it shows (seed 702435). */
    @Test
    void anAnswerToAReadFromBeforeTheBindingWasLostIsNotTold() {
        watch();
        answer(value(5), 6);
        long call = bench.nextCall();
        bench.on(new SessionEvent.Read(call, GET, Long.MAX_VALUE));
        bench.frame(new ServerFrame.Refused(0, ErrorCode.BUSY, true, "too much waits")); // a KeepAlive
        answer(value(9), 9);
        assertThat(bench.of(SessionAction.Answered.class)).isEmpty();
        bench.pass(1_000).attached();
        bench.confirm();
        fire(1, 9);
        claimed(9);
        answer(value(9), 9);
        assertThat(bench.of(SessionAction.Answered.class)).hasSize(1);
    }

    // ---- the end

    @Test
    void theEndOfTheSessionEndsEveryWatch() {
        long armed = watch();
        answer(value(5), 6);
        long listening = listen(GET);
        bench.frame(new ServerFrame.SessionEnded(Bench.SESSION, "its lease ran out"));
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .extracting(SessionAction.WatchEnded::id)
                .containsExactly(armed, listening);
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .allMatch(ended -> ended.failure().kind() == Failure.Kind.SESSION_EXPIRED);
        assertThat(bench.machine.openWatches()).isZero();
        assertThat(bench.machine.openCalls()).isZero();
        bench.clear();
        long late = listen(GET);
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .extracting(SessionAction.WatchEnded::id)
                .containsExactly(late);
    }

    /** R3.6: it is over here at once, long before the cell says so. */
    @Test
    void anOperatorsEndOfTheSessionEndsEveryWatch() {
        long armed = watch();
        answer(value(5), 6);
        long listening = listen(GET);
        bench.frame(new ServerFrame.EndingNotice(new Ending.OfSession(Bench.SESSION), "expired by an operator"));
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .extracting(SessionAction.WatchEnded::id)
                .containsExactly(armed, listening);
        assertThat(bench.machine.openWatches()).isZero();
    }

    @Test
    void closingEndsEveryWatch() {
        watch();
        answer(value(5), 6);
        listen(GET);
        bench.on(new SessionEvent.Close(1_000_000_000L));
        assertThat(bench.of(SessionAction.WatchEnded.class))
                .hasSize(2)
                .allMatch(e -> e.failure().kind() == Failure.Kind.CLOSED);
        assertThat(bench.operations()).hasSize(1); // the close itself is not held back
    }

    // ---- listening

    private List<Answer> observed() {
        return bench.of(SessionAction.Observed.class).stream()
                .map(SessionAction.Observed::answer)
                .toList();
    }

    @Test
    void aListenerHearsThePresentStateAndThenEachNewerOne() {
        listen(GET);
        answer(value(5), 6);
        fire(1, 9);
        assertThat(read().watch()).isEqualTo(2); // armed again in the call that reads
        answer(value(9), 9);
        fire(2, 12);
        answer(value(12), 15);
        assertThat(observed()).containsExactly(value(5), value(9), value(12));
        assertThat(bench.of(SessionAction.Unsure.class)).isEmpty();
    }

    @Test
    void whatComesBackAsItWasIsNotToldAgain() {
        listen(GET);
        Answer none = new Answer.Value(PATH, null, -1, 0, 0);
        answer(none, 6);
        fire(1, 9); // made and deleted
        answer(none, 9);
        assertThat(observed()).containsExactly(none);
    }

    @Test
    void withoutAStreamItIsUnsureAndSureAgainWhenTheClaimIsAnswered() {
        listen(GET);
        answer(value(5), 6);
        bench.cut();
        assertThat(bench.of(SessionAction.Unsure.class)).hasSize(1);
        bench.pass(1_000);
        bench.attached();
        bench.confirm();
        assertThat(bench.of(SessionAction.SureAgain.class)).isEmpty();
        claimed(9);
        assertThat(bench.of(SessionAction.SureAgain.class)).hasSize(1);
        assertThat(observed()).hasSize(1);
    }

    @Test
    void inJeopardyItIsUnsureEvenIfTheStreamStands() {
        listen(GET);
        answer(value(5), 6);
        bench.on(new SessionEvent.ClockJump());
        assertThat(bench.of(SessionAction.Unsure.class)).hasSize(1);
        bench.confirm();
        assertThat(bench.machine.state()).isEqualTo(SessionState.SAFE);
        assertThat(bench.of(SessionAction.SureAgain.class)).hasSize(1);
    }

    @Test
    void whatFiresWithTheClaimIsReadAgainAndTold() {
        listen(GET);
        answer(value(5), 6);
        reconnect();
        bench.confirm();
        fire(1, 20);
        claimed(20);
        answer(value(18), 20);
        assertThat(observed()).containsExactly(value(5), value(18));
        assertThat(bench.of(SessionAction.SureAgain.class)).isEmpty(); // the newer state says it
    }

    private static Answer.Children children(boolean more, long revision, String... names) {
        return new Answer.Children(PATH, List.of(names), more, revision);
    }

    @Test
    void aLongListIsReadWholeAndAgainIfItChangedMeanwhile() {
        listen(LIST);
        answer(children(true, 5, "a", "b"), 6);
        assertThat(read().query()).isEqualTo(new Query.ListChildren(PATH, "b", Limits.MAX_PAGE_ENTRIES));
        assertThat(read().watch()).isZero();
        answer(children(false, 7, "c"), 7);
        assertThat(observed()).isEmpty();
        assertThat(page().dropped()).containsExactly(1L); // it may not have fired yet
        answer(children(true, 7, "a", "b"), 7);
        answer(children(false, 7, "d"), 7);
        assertThat(observed()).containsExactly(children(false, 7, "a", "b", "d"));
    }

    @Test
    void aListThatChangesWithoutPauseIsToldAllTheSame() {
        listen(LIST);
        long revision = 5;
        for (int i = 0; i < 20 && observed().isEmpty(); i++) {
            answer(children(true, revision, "a"), revision);
            fire(read().watch() == 0 ? i + 1 : read().watch(), ++revision);
            if (read().watch() == 0) {
                answer(children(false, revision, "b"), revision);
            }
        }
        assertThat(observed()).hasSize(1);
        assertThat(read().watch()).isPositive(); // and it is being read again
        answer(children(false, revision, "z"), revision);
        assertThat(observed()).hasSize(2);
    }

    @Test
    void noNodeIsAnAnswerAndIsWatched() {
        listen(LIST);
        Answer none = new Answer.Failed(ErrorCode.NOT_FOUND, "no node");
        answer(none, 6);
        fire(1, 9);
        answer(children(false, 9, "a"), 9);
        assertThat(observed()).containsExactly(none, children(false, 9, "a"));
    }

    @Test
    void stoppingWithdrawsTheWatch() {
        long id = listen(GET);
        answer(value(5), 6);
        bench.on(new SessionEvent.Unwatch(id));
        assertThat(page().dropped()).containsExactly(1L);
        assertThat(bench.machine.openWatches()).isZero();
    }
}
