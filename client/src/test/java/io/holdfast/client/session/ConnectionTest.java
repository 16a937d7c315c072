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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a stream counts as dead or leads nowhere, and where the client goes then (C38, C81). */
final class ConnectionTest {
    private final Bench bench = new Bench();

    private static Outcome written() {
        return new Outcome.Written(new NodePath("/a"), 0, 9, true);
    }

    @Test
    void c81AFrozenServerIsLeftForTheNextEndpointThoughItsSocketIsOpen() {
        bench.safe();
        bench.put("/a");
        int first = bench.endpoint;
        bench.pass(2_499);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        bench.pass(50);
        assertThat(bench.endpoint).isNotEqualTo(first);
    }

    /** It does not even say that it is there, so no fail-over is waited for. */
    @Test
    void c81AFrozenServerIsLeftSoonerThanOneThatWaitsForALeader() {
        bench.safe().frozen().put("/a");
        bench.pass(500 + 624);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    /** As at a server that freezes while the cell has no leader. */
    @Test
    void aServerIsAskedAgainWhetherItIsThere() {
        bench.safe().put("/a");
        bench.pass(900);
        assertThat(bench.sent(ClientFrame.Ping.class)).hasSize(1);
        bench.frozen().pass(100 + 624);
        assertThat(bench.sent(ClientFrame.Ping.class)).hasSize(2);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    /** The Pong may lie unread. */
    @Test
    void aPauseOfTheClientIsNoSilenceOfTheServer() {
        bench.safe().frozen().put("/a");
        bench.pass(500);
        assertThat(bench.sent(ClientFrame.Ping.class)).hasSize(1);
        bench.stopped(1_500).on(new SessionEvent.Tick());
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.frame(new ServerFrame.Pong());
        bench.pass(499);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1); // 2.5 s without an answer
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    @Test
    void whoAsksNothingSendsNoPing() {
        bench.safe().pass(3_900);
        assertThat(bench.sent(ClientFrame.Ping.class)).isEmpty();
    }

    /** R3.5: whoever is there but reaches no leader renews nothing. */
    @Test
    void r35APongRenewsNoLease() {
        bench.safe().pass(13_000);
        assertThat(bench.sent(ClientFrame.Ping.class)).isNotEmpty();
        assertThat(bench.states()).containsExactly(SessionState.SAFE, SessionState.JEOPARDY);
    }

    /** After a fail-over the next endpoint in turn may be the one that is frozen. */
    @Test
    void anEndpointThatSaysNothingAtFirstIsLeftSoonForAnother() {
        bench.safe().cut().pass(50);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(2);
        bench.pass(625 + 50);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(3);
    }

    /** A crowded cell is not to be run away from ever faster. */
    @Test
    void eachStreamLostInARowDoublesThePatience() {
        bench.safe().frozen().put("/a");
        bench.pass(500 + 625 + 50).hello().pass(500 + 1_249);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(2);
    }

    /** Callers whose patience is shorter than the stream's would otherwise ask a frozen server for ever. */
    @Test
    void c81AFrozenServerIsLeftThoughEachCallerGivesUpBefore() {
        Query query = new Query.GetValue(new NodePath("/a"));
        bench.on(new SessionEvent.Read(bench.nextCall(), query, 2_000_000_000L)).hello();
        int first = bench.endpoint;
        bench.pass(2_000).on(new SessionEvent.Read(bench.nextCall(), query, 2_000_000_000L));
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(500 + 50).hello();
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.endpoint).isNotEqualTo(first);
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(3);
    }

    @Test
    void c81AOneShotThatWasGivenUpCastsDoubtOnItsStreamToo() {
        Operation put = new Operation.Put(new NodePath("/a"), new byte[] {1}, Operation.ANY_VERSION);
        bench.on(new SessionEvent.OneShot(bench.nextCall(), put, 2_000_000_000L))
                .hello();
        bench.pass(2_000 + 2_499);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
    }

    @Test
    void aLateAnswerToWhatWasGivenUpClearsTheStream() {
        Query query = new Query.GetValue(new NodePath("/a"));
        long call = bench.nextCall();
        bench.on(new SessionEvent.Read(call, query, 2_000_000_000L)).hello().pass(2_000);
        assertThat(bench.failed(call)).isTrue();
        Answer answer = new Answer.Value(new NodePath("/a"), null, 0, 0, 0);
        bench.frame(new ServerFrame.ReadReply(bench.last(ClientFrame.Read.class).callId(), answer));
        bench.pass(60_000);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        assertThat(bench.machine.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    private static ServerFrame.Refused noLeader(long id) {
        return new ServerFrame.Refused(id, ErrorCode.UNAVAILABLE, true, "the leader r2 cannot be reached from r1");
    }

    private long read(long timeoutMillis) {
        long call = bench.nextCall();
        bench.on(new SessionEvent.Read(call, new Query.GetValue(new NodePath("/a")), timeoutMillis * 1_000_000L));
        return call;
    }

    private long oneShot() {
        long call = bench.nextCall();
        Operation put = new Operation.Put(new NodePath("/a"), new byte[] {1}, Operation.ANY_VERSION);
        bench.on(new SessionEvent.OneShot(call, put, 10_000_000_000L));
        return call;
    }

    /** A server that is cut off from the leader refuses what has waited there for 2 s; it would do so for ever. */
    @Test
    void c38AServerThatReachesNoLeaderIsLeftForTheNextEndpoint() {
        long call = read(10_000);
        bench.hello();
        int first = bench.endpoint;
        bench.pass(2_000)
                .frame(noLeader(bench.last(ClientFrame.Read.class).callId()))
                .pass(50)
                .hello();
        assertThat(bench.endpoint).isNotEqualTo(first);
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(2);
        assertThat(bench.failed(call)).isFalse();
    }

    /** The refusal then comes when nobody waits for it any more, and must not pass for a sign of life. */
    @ParameterizedTest
    @ValueSource(longs = {100, 1_000, 1_990, 2_000})
    void c38AServerThatReachesNoLeaderIsLeftThoughEachCallerGivesUpBefore(long timeout) {
        read(timeout);
        bench.hello();
        int first = bench.endpoint;
        long refused = bench.last(ClientFrame.Read.class).callId();
        bench.pass(timeout);
        read(timeout);
        bench.pass(2_010 - timeout).frame(noLeader(refused)).pass(50);
        read(timeout);
        bench.hello();
        assertThat(bench.endpoint).isNotEqualTo(first);
        assertThat(bench.last(ClientFrame.Read.class).callId()).isGreaterThan(refused);
    }

    @Test
    void r27OneShotsThatWaitThereForALeaderAreNotLeftBehind() {
        long first = oneShot();
        bench.hello().pass(1_000);
        long second = oneShot();
        List<Long> sent = bench.sent(ClientFrame.OneShot.class).stream()
                .map(ClientFrame.OneShot::callId)
                .toList();
        bench.pass(1_000).frame(noLeader(sent.get(0))).pass(900);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        assertThat(bench.sent(ClientFrame.OneShot.class)).hasSize(2);
        bench.pass(100).frame(noLeader(sent.get(1))).pass(50).hello();
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.sent(ClientFrame.OneShot.class)).hasSize(4);
        assertThat(bench.failed(first) || bench.failed(second)).isFalse();
    }

    @Test
    void anAnswerThroughAServerThatReachedNoLeaderClearsIt() {
        oneShot();
        bench.hello().pass(1_000);
        oneShot();
        List<ClientFrame.OneShot> sent = bench.sent(ClientFrame.OneShot.class);
        bench.pass(1_000).frame(noLeader(sent.get(0).callId()));
        bench.frame(new ServerFrame.Reply(sent.get(1).callId(), written())).pass(50);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        assertThat(bench.sent(ClientFrame.OneShot.class)).hasSize(3);
    }

    /** The leader itself refuses at once, as another would. */
    @Test
    void aServerThatRefusesAtOnceIsNotLeft() {
        read(10_000);
        bench.hello();
        for (int i = 0; i < 8; i++) {
            bench.frame(noLeader(bench.last(ClientFrame.Read.class).callId())).pass(1_000);
        }
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(9);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
    }

    @Test
    void c38ASessionLeavesAServerThatReachesNoLeaderToAttachElsewhere() {
        bench.safe().cut().pass(100).hello();
        int first = bench.endpoint;
        bench.pass(2_000).frame(noLeader(0)).pass(50).attached();
        assertThat(bench.endpoint).isNotEqualTo(first);
        assertThat(bench.sent(ClientFrame.Attach.class)).hasSize(2);
    }

    /** On a busy machine connecting takes seconds; beginning again would only take longer, as there is nowhere else to go. */
    @Test
    void theOnlyEndpointHasTheCallsTimeToConnect() {
        Bench alone = new Bench(List.of("a:1"));
        long call = alone.put("/a");
        alone.pass(9_900).hello();
        assertThat(alone.of(SessionAction.OpenStream.class)).hasSize(1);
        alone.opened();
        assertThat(alone.operations()).hasSize(1);
        assertThat(alone.failed(call)).isFalse();
    }

    @Test
    void theOnlyEndpointIsTriedAgainWhenItDoesNotConnect() {
        Bench alone = new Bench(List.of("a:1"));
        alone.on(new SessionEvent.OpenSession());
        alone.pass(10_000 + 50);
        assertThat(alone.of(SessionAction.OpenStream.class)).hasSize(2);
    }

    /** A lease runs: a new attempt may find the way that the old one does not. */
    @Test
    void oneThatWasConnectedIsTriedAgainSoon() {
        Bench alone = new Bench(List.of("a:1"));
        alone.safe().cut().pass(50);
        assertThat(alone.of(SessionAction.OpenStream.class)).hasSize(2);
        alone.pass(1_250 + 100);
        assertThat(alone.of(SessionAction.OpenStream.class)).hasSize(3);
    }

    @Test
    void whoTriedAllEndpointsGivesEachMoreTime() {
        bench.put("/a");
        bench.pass(2_500 + 50 + 2_500 + 50);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(3);
        bench.pass(4_800).hello();
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(3);
    }

    /** They are there, and the cell does not answer: connecting anew only gives it more to do. */
    @Test
    void afterARoundInVainEachEndpointHasTwiceTheTimeToAnswer() {
        Bench three = new Bench(List.of("a:1", "b:2", "c:3"));
        three.safe().put("/a");
        three.pass(2_500 + 50).hello().pass(2_500 + 50).hello().pass(2_500);
        assertThat(three.of(SessionAction.CloseStream.class)).hasSize(3);
        three.pass(100).hello().pass(4_999);
        assertThat(three.of(SessionAction.CloseStream.class)).hasSize(3);
        three.pass(1);
        assertThat(three.of(SessionAction.CloseStream.class)).hasSize(4);
    }

    /** Behind one address may be several replicas, one of them cut off from the leader (C38): it is left as soon as one of many. */
    @Test
    void theOnlyEndpointIsLeftThreeTimesBeforeItHasMoreTime() {
        Bench alone = new Bench(List.of("a:1"));
        alone.safe().put("/a");
        alone.pass(2_500 + 50).hello().pass(2_500 + 100).hello().pass(2_500);
        assertThat(alone.of(SessionAction.CloseStream.class)).hasSize(3);
        assertThat(alone.states()).containsExactly(SessionState.SAFE);
        alone.pass(200).hello().pass(4_000);
        assertThat(alone.of(SessionAction.CloseStream.class)).hasSize(3);
    }

    @Test
    void c81WithNothingToAskTheKeepAliveFindsTheFrozenServer() {
        bench.safe().pass(4_000 + 2_500 + 50);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(2);
        bench.attached().confirm();
        assertThat(bench.states()).containsExactly(SessionState.SAFE);
    }
}
