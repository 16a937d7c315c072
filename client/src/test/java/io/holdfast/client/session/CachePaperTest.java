package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** R6.2–R6.5 at the client, sentence by sentence. The test plays the cell. */
class CachePaperTest {
    private static final NodePath X = new NodePath("/x");
    private static final NodePath Y = new NodePath("/y");
    private static final long TIMEOUT_NANOS = 5_000_000_000L;

    private Bench bench = Bench.caching(2_000);

    @BeforeEach
    void open() {
        begin(2_000);
    }

    private void begin(long bytes) {
        bench = Bench.caching(bytes);
        bench.safe();
        assertThat(bench.last(ClientFrame.Open.class).caching()).isTrue();
        renewCache(1);
    }

    private void renewCache(long epoch) {
        bench.frame(new ServerFrame.KeepAliveAck(
                bench.last(ClientFrame.KeepAlive.class).sendNumber(), true, epoch, true));
    }

    private long ask(NodePath path) {
        long call = bench.nextCall();
        bench.clear();
        bench.on(new SessionEvent.Read(call, new Query.GetValue(path), TIMEOUT_NANOS));
        return call;
    }

    private boolean isAnsweredFromCache(NodePath path) {
        ask(path);
        List<SessionAction.Answered> answers = bench.of(SessionAction.Answered.class);
        return !answers.isEmpty() && answers.get(0).cached();
    }

    private static Answer.Value value(NodePath path, int bytes) {
        return new Answer.Value(path, new byte[bytes], 0, 5, 5);
    }

    private void fill(NodePath path, int bytes, long attachment, long epoch) {
        long call = bench.last(ClientFrame.Read.class).callId();
        bench.frame(new ServerFrame.ReadReply(call, value(path, bytes), 9, new ServerFrame.Fill(attachment, epoch)));
    }

    private void cache(NodePath path) {
        cache(path, 10);
    }

    private void cache(NodePath path, int bytes) {
        ask(path);
        assertThat(bench.last(ClientFrame.Read.class).cacheable()).isTrue();
        fill(path, bytes, 0, 1);
    }

    @Test
    void whatTheLeaderLetsBeCachedIsAnsweredWithoutAsking() {
        cache(X);
        assertThat(isAnsweredFromCache(X)).isTrue();
        assertThat(bench.sent(ClientFrame.Read.class)).isEmpty();
        assertThat(isAnsweredFromCache(Y)).isFalse();
        assertThat(bench.machine.cacheCounts().hits()).isEqualTo(1);
        assertThat(bench.machine.cacheCounts().misses()).isEqualTo(2);
        assertThat(bench.machine.cacheCounts().entries()).isEqualTo(1);
    }

    @Test
    void thatThereIsNoValueIsCachedToo() {
        ask(X);
        long call = bench.last(ClientFrame.Read.class).callId();
        Answer.Value none = new Answer.Value(X, null, Operation.MUST_NOT_EXIST, 0, 0);
        bench.frame(new ServerFrame.ReadReply(call, none, 9, new ServerFrame.Fill(0, 1)));
        assertThat(isAnsweredFromCache(X)).isTrue();
    }

    @Test
    void whatTheLeaderDoesNotLetBeCachedIsAskedForAgain() {
        ask(X);
        bench.frame(new ServerFrame.ReadReply(bench.last(ClientFrame.Read.class).callId(), value(X, 1), 9, null));
        assertThat(isAnsweredFromCache(X)).isFalse();
    }

    /** R6.3: after it is gone. */
    @Test
    void anInvalidationIsAcknowledgedWhenTheValueIsGone() {
        cache(X);
        cache(Y);
        bench.clear();
        bench.frame(new ServerFrame.Invalidate(Bench.SESSION, 4, List.of(X)));
        assertThat(bench.last(ClientFrame.CacheAck.class)).isEqualTo(new ClientFrame.CacheAck(1, 4));
        assertThat(isAnsweredFromCache(X)).isFalse();
        assertThat(isAnsweredFromCache(Y)).isTrue();
    }

    /** R6.2: the cache lease is another than the session's. */
    @Test
    void withoutARenewedCacheLeaseTheCacheIsOffAlthoughTheSessionIsSafe() {
        cache(X);
        bench.pass(4_000);
        bench.confirm(); // renewed, and the cache lease not
        bench.pass(4_000);
        bench.confirm();
        bench.pass(3_800);
        assertThat(isAnsweredFromCache(X)).isTrue();
        bench.pass(200);
        long keepAlive = bench.last(ClientFrame.KeepAlive.class).sendNumber();
        assertThat(bench.machine.state()).isEqualTo(SessionState.SAFE);
        assertThat(isAnsweredFromCache(X)).isFalse();
        bench.frame(new ServerFrame.KeepAliveAck(keepAlive, true, 1, true));
        assertThat(isAnsweredFromCache(X)).isTrue(); // the leader still knows that it is here
    }

    /** R6.5: emptied, not just passed by. */
    @Test
    void inJeopardyTheCacheIsEmptied() {
        cache(X);
        bench.stopped(12_000).on(new SessionEvent.Tick());
        assertThat(bench.machine.state()).isEqualTo(SessionState.JEOPARDY);
        assertThat(bench.machine.cacheCounts().entries()).isZero();
        assertThat(isAnsweredFromCache(X)).isFalse();
    }

    /** R1.3: the machine may have slept. */
    @Test
    void aJumpOfTheClocksEmptiesTheCache() {
        cache(X);
        bench.on(new SessionEvent.ClockJump());
        assertThat(bench.machine.cacheCounts().entries()).isZero();
    }

    /** R6.4: before another stream is asked for. */
    @Test
    void aLostStreamEmptiesTheCacheAtOnce() {
        cache(X);
        bench.cut();
        assertThat(bench.machine.cacheCounts().entries()).isZero();
        assertThat(isAnsweredFromCache(X)).isFalse();
    }

    /** R6.4: the old stream still stands, and an invalidation that comes on it is for nobody any more. */
    @Test
    void aClientThatIsAskedToMoveEmptiesTheCacheBeforeItOpensAnotherStream() {
        cache(X);
        bench.clear();
        bench.frame(new ServerFrame.Draining("bye", 100_000));
        assertThat(isAnsweredFromCache(X)).isFalse(); // the random source of the bench draws 0: it goes at once
        assertThat(bench.machine.cacheCounts().entries()).isZero();
        bench.attached();
        long attachment = bench.last(ClientFrame.Attach.class).attachment();
        assertThat(attachment).isPositive();
        assertThat(bench.last(ClientFrame.CacheAck.class)).isEqualTo(new ClientFrame.CacheAck(1, 0));
        renewCache(1);
        ask(X);
        fill(X, 10, attachment, 1);
        assertThat(isAnsweredFromCache(X)).isTrue();
    }

    /** R6.3: until it goes it caches as before, and says what it has let go of on the stream that it has. */
    @Test
    void untilItMovesAClientThatIsAskedToCachesOn() {
        cache(X);
        ask(Y); // has to be answered before it goes
        bench.frame(new ServerFrame.Draining("bye", 0));
        assertThat(isAnsweredFromCache(X)).isTrue();
        bench.frame(new ServerFrame.Invalidate(Bench.SESSION, 4, List.of(X)));
        assertThat(bench.last(ClientFrame.CacheAck.class)).isEqualTo(new ClientFrame.CacheAck(1, 4));
        assertThat(isAnsweredFromCache(X)).isFalse();
    }

    /** R6.4, R6.6: an interrupted stream speaks for no session until it is attached again, and then says that it has let go. */
    @Test
    void anInterruptedStreamEmptiesTheCacheAndTheNextEpochIsAcknowledged() {
        cache(X);
        bench.frame(new ServerFrame.Interrupted("the leader changed", null));
        assertThat(bench.machine.cacheCounts().entries()).isZero();
        bench.pass(200);
        long attachment = bench.last(ClientFrame.Attach.class).attachment();
        bench.clear();
        bench.frame(new ServerFrame.Attached(Bench.SESSION, attachment, 2));
        assertThat(bench.last(ClientFrame.CacheAck.class)).isEqualTo(new ClientFrame.CacheAck(2, 0));
        long keepAlive = bench.last(ClientFrame.KeepAlive.class).sendNumber();
        ask(X);
        fill(X, 10, 0, 2); // for what was bound before
        assertThat(isAnsweredFromCache(X)).isFalse();
        fill(X, 10, attachment, 1); // of the leader before
        assertThat(isAnsweredFromCache(X)).isFalse();
        fill(X, 10, attachment, 2);
        assertThat(isAnsweredFromCache(X)).isFalse(); // nothing of the old cache lease counts
        bench.frame(new ServerFrame.KeepAliveAck(1, true, 2, true)); // from before
        assertThat(isAnsweredFromCache(X)).isFalse();
        bench.frame(new ServerFrame.KeepAliveAck(keepAlive, true, 2, true));
        assertThat(isAnsweredFromCache(X)).isTrue();
    }

    /** An invalidation that comes while the stream speaks for no session is not acknowledged: the attach says more. */
    @Test
    void whileUnboundNothingIsAcknowledged() {
        cache(X);
        bench.frame(new ServerFrame.Interrupted("the leader changed", null));
        bench.clear();
        bench.frame(new ServerFrame.Invalidate(Bench.SESSION, 4, List.of(X)));
        assertThat(bench.sent(ClientFrame.CacheAck.class)).isEmpty();
    }

    @Test
    void whatWasUsedLongestAgoGoesFirst() {
        begin(700);
        cache(X, 100);
        cache(Y, 100);
        assertThat(isAnsweredFromCache(X)).isTrue();
        cache(new NodePath("/z"), 100);
        assertThat(isAnsweredFromCache(Y)).isFalse();
        assertThat(isAnsweredFromCache(X)).isTrue();
        assertThat(bench.machine.cacheCounts().bytes()).isLessThanOrEqualTo(700);
        cache(Y, 600); // larger than all of it
        assertThat(isAnsweredFromCache(Y)).isFalse();
        assertThat(isAnsweredFromCache(X)).isTrue();
    }

    @Test
    void aReadThatMustNotBeCachedAsksTheCell() {
        cache(X);
        bench.clear();
        bench.on(new SessionEvent.Read(bench.nextCall(), new Query.GetValue(X), TIMEOUT_NANOS, false));
        assertThat(bench.last(ClientFrame.Read.class).cacheable()).isFalse();
        bench.on(new SessionEvent.Read(bench.nextCall(), new Query.Stat(X), TIMEOUT_NANOS));
        assertThat(bench.last(ClientFrame.Read.class).cacheable()).isFalse();
    }

    /** R6.3: the leader has it and says so; the stream is not left for it, and its time reaches the leader. */
    @Test
    void aWriteThatIsHeldIsNoReasonToLeaveTheStream() {
        long call = bench.put("/w");
        ClientFrame.Request sent = bench.last(ClientFrame.Request.class);
        assertThat(sent.waitMillis()).isBetween(8_000L, Bench.TIMEOUT - 1);
        bench.frame(new ServerFrame.Held(sent.requestId()));
        long stream = bench.stream;
        for (int i = 0; i < 4; i++) {
            bench.pass(2_400);
            renewCache(1);
        }
        assertThat(bench.stream).isEqualTo(stream);
        bench.frame(new ServerFrame.Refused(sent.requestId(), ErrorCode.WITHDRAWN, true, "waited"));
        assertThat(bench.of(SessionAction.Fail.class)).last().satisfies(fail -> {
            assertThat(fail.callId()).isEqualTo(call);
            assertThat(fail.failure().definite()).isTrue();
            assertThat(fail.failure().code()).isEqualTo(ErrorCode.WITHDRAWN);
        });
    }
}
