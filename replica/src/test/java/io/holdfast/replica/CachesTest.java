package io.holdfast.replica;

import static io.holdfast.replica.TestSession.acquiring;
import static io.holdfast.replica.TestSession.putting;
import static io.holdfast.replica.TestSession.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R6.2–R6.6 at the leader, over a whole cell: who may cache, what a write waits for, and what it does not wait for. */
class CachesTest {
    private static final long SECOND = TestCluster.SECOND;
    private static final NodePath A = new NodePath("/a");

    private final TestCluster cluster = TestCluster.started(3);
    private final TestReplica leader = cluster.leader();
    private final TestSession reader = TestSession.caching(cluster, leader, 1);
    private final TestSession writer = TestSession.opened(cluster, leader, 2);

    private long term() {
        return leader.loop.status().cell(TestReplica.CELL).term();
    }

    private ServerFrame.Invalidate invalidation() {
        return reader.one(ServerFrame.Invalidate.class);
    }

    private void acknowledge(ServerFrame.Invalidate invalidate) {
        reader.send(new ClientFrame.CacheAck(term(), invalidate.number()));
    }

    private void cache(String path) {
        assertThat(reader.cacheableRead(path).fill()).isEqualTo(new ServerFrame.Fill(1, term()));
    }

    private void closeStreamOfReader() {
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(1)));
    }

    /** Time passes, and the writer keeps its session alive. */
    private void pass(long seconds) {
        cluster.runFor(seconds * SECOND);
        writer.send(new ClientFrame.KeepAlive(1));
        writer.one(ServerFrame.KeepAliveAck.class); // and nothing else has come
    }

    private Outcome outcome(TestSession session) {
        return session.one(ServerFrame.Reply.class).outcome();
    }

    private Answer.Caches caches() {
        TestSession observer = new TestSession(cluster, leader, 1, 77);
        observer.send(new ClientFrame.Read(1, new Query.CellStatus()));
        return ((Answer.Status) observer.one(ServerFrame.ReadReply.class).answer()).caches();
    }

    @Test
    void aWriteWaitsUntilWhoCachesItHasLetGo() {
        cache("/a");
        assertThat(leader.loop.status().cell(TestReplica.CELL).caches().paths()).isEqualTo(1);
        long id = writer.request(putting("/a"));
        assertThat(writer.one(ServerFrame.Held.class).id()).isEqualTo(id);
        ServerFrame.Invalidate told = invalidation();
        assertThat(told.paths()).containsExactly(A);
        assertThat(reader.cacheableRead("/a").fill()).isNull(); // marked: with the old value, not to be cached
        assertThat(caches().writesWaiting()).isEqualTo(1);
        acknowledge(told);
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
        assertThat(leader.meter.invalidated).isEqualTo(1);
        assertThat(caches()).isEqualTo(new Answer.Caches(0, 0, List.of()));
        cache("/a"); // applied: it may be cached again
    }

    /** R6.3: a mark goes when the write is applied, not when it is proposed. */
    @Test
    void nobodyCachesWhatAProposedWriteIsAboutToChange() {
        cluster.networkHeld = true;
        writer.request(putting("/a"));
        cluster.settle();
        cluster.networkHeld = true;
        reader.send(new ClientFrame.Read(1, reading("/a"), 0, true));
        cluster.settle();
        cluster.networkHeld = false;
        List<ServerFrame> frames = reader.received();
        assertThat(frames).singleElement().isInstanceOf(ServerFrame.ReadReply.class);
        ServerFrame.ReadReply reply = (ServerFrame.ReadReply) frames.get(0);
        boolean old = ((Answer.Value) reply.answer()).value() == null;
        assertThat(reply.fill() != null && old).isFalse();
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void oneRoundServesAllWritesOfAPath() {
        cache("/a");
        writer.request(putting("/a"));
        writer.request(putting("/a"));
        ServerFrame.Invalidate told = invalidation();
        writer.received();
        acknowledge(told);
        assertThat(writer.received()).hasSize(2).allMatch(ServerFrame.Reply.class::isInstance);
        assertThat(reader.received()).isEmpty();
    }

    @Test
    void whatIsNoWriteOfItWaitsForNobody() {
        cache("/a");
        assertThat(writer.call(acquiring("/lock"))).isInstanceOf(Outcome.Placed.class);
        assertThat(writer.call(acquiring("/a"))).isInstanceOf(Outcome.Placed.class); // R6.1: its container is no value
        assertThat(writer.call(putting("/b"))).isInstanceOf(Outcome.Written.class);
        assertThat(writer.call(putting("/c/d"))).isInstanceOf(Outcome.Written.class);
        assertThat(reader.received()).isEmpty();
    }

    /** R6.4. */
    @Test
    void aClosedStreamIsNoAcknowledgement() {
        cache("/a");
        closeStreamOfReader();
        writer.request(putting("/a"));
        assertThat(writer.one(ServerFrame.Held.class)).isNotNull();
        assertThat(caches().waitsFor()).singleElement().satisfies(wait -> {
            assertThat(wait.session()).isEqualTo(reader.session);
            assertThat(wait.clientName()).isEqualTo("test");
        });
        pass(5);
        pass(6);
        cluster.runFor(2 * SECOND); // its cache lease is over
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
    }

    /** R6.4: a client empties its cache before it opens another stream. */
    @Test
    void anAttachmentWithAHigherNumberIsAnAcknowledgement() {
        cache("/a");
        closeStreamOfReader();
        writer.request(putting("/a"));
        writer.one(ServerFrame.Held.class);
        leader.client(1, 9, new ClientFrame.Attach(reader.session, reader.secret, 2));
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
    }

    /** ADR 0014, history 1: an Open that was on its way for long binds again, and says nothing of the cache. */
    @Test
    void anOpenThatIsRepeatedIsNoAcknowledgement() {
        TestSession early = new TestSession(cluster, leader, 1, 20);
        leader.client(1, 20, new ClientFrame.Open(1, early.secret, 12_000, "early", true));
        early.session = early.one(ServerFrame.Opened.class).session();
        assertThat(early.renewCache()).isTrue();
        assertThat(early.cacheableRead("/a").fill()).isNotNull();
        leader.client(1, 21, new ClientFrame.Open(1, early.secret, 12_000, "early", true));
        cluster.settle();
        writer.request(putting("/a"));
        writer.one(ServerFrame.Held.class);
        cluster.runFor(10 * SECOND);
        assertThat(writer.received()).isEmpty();
    }

    @Test
    void whileUnacknowledgedTheSessionIsRenewedAndItsCacheLeaseNot() {
        cache("/a");
        cluster.runFor(4 * SECOND);
        assertThat(reader.renewCache()).isTrue();
        writer.request(putting("/a"));
        writer.one(ServerFrame.Held.class);
        ServerFrame.Invalidate told = invalidation();
        for (int i = 0; i < 2; i++) {
            pass(4);
            assertThat(reader.renewCache()).isFalse();
        }
        cluster.runFor(4 * SECOND);
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
        assertThat(reader.cacheableRead("/b").fill()).isNull();
        acknowledge(told);
        assertThat(reader.renewCache()).isTrue();
        cache("/b");
    }

    /** R6.3: definitely not done. */
    @Test
    void aWriteWhoseTimePassesIsWithdrawnAndItsMarkGoes() {
        cache("/a");
        writer.send(new ClientFrame.Request(50, 0, putting("/a"), 2_000));
        writer.one(ServerFrame.Held.class);
        cluster.runFor(2 * SECOND);
        ServerFrame.Refused refused = writer.one(ServerFrame.Refused.class);
        assertThat(refused.code()).isEqualTo(ErrorCode.WITHDRAWN);
        assertThat(refused.definite()).isTrue();
        acknowledge(invalidation());
        Answer.Value value = (Answer.Value) reader.cacheableRead("/a").answer();
        assertThat(value.value()).isNull();
        cache("/a");
    }

    /** R6.3: after a leadership check, from the applied state; nobody is told. */
    @Test
    void aCompareAndSetThatFailsIsAnsweredAtOnce() {
        writer.call(putting("/a"));
        cache("/a");
        Operation failing = new Operation.Put(A, new byte[] {2}, 77);
        assertThat(writer.call(failing)).isInstanceOf(Outcome.Failed.class);
        Operation batch = new Operation.Batch(
                List.of(new Operation.Put(A, new byte[] {2}, 0), new Operation.Check(A.child("b"), 5)));
        Outcome.BatchRefused refused = (Outcome.BatchRefused) writer.call(batch);
        assertThat(refused.item()).isEqualTo(1);
        assertThat(writer.call(new Operation.Delete(A, 9))).isInstanceOf(Outcome.Failed.class);
        assertThat(reader.received()).isEmpty();
        assertThat(leader.meter.invalidated).isZero();
        Operation fitting = new Operation.Put(A, new byte[] {2}, 0);
        writer.request(fitting);
        writer.one(ServerFrame.Held.class);
        acknowledge(invalidation());
        assertThat(outcome(writer)).isInstanceOf(Outcome.Written.class);
    }

    /** ADR 0014, history 4: another send of the same request is on its way, so the applied state does not say what comes of it. */
    @Test
    void aCompareAndSetBesideAnotherWriteIsDecidedByTheLog() {
        writer.call(putting("/a"));
        cache("/a");
        long id = writer.request(new Operation.Put(A, new byte[] {2}, 0));
        writer.one(ServerFrame.Held.class);
        ServerFrame.Invalidate told = invalidation();
        writer.send(new ClientFrame.Request(id, 0, new Operation.Put(A, new byte[] {2}, 0)));
        writer.one(ServerFrame.Held.class);
        long other = writer.request(new Operation.Put(A, new byte[] {3}, 9));
        assertThat(writer.one(ServerFrame.Held.class).id()).isEqualTo(other);
        acknowledge(told);
        List<ServerFrame> replies = writer.received();
        assertThat(replies).hasSize(3);
        assertThat(((ServerFrame.Reply) replies.get(0)).outcome()).isInstanceOf(Outcome.Written.class);
        assertThat(replies.get(1)).isEqualTo(replies.get(0)); // R2.7: once
        assertThat(((ServerFrame.Reply) replies.get(2)).outcome()).isInstanceOf(Outcome.Failed.class);
    }

    /** R2.7: what was applied before is answered, and nobody has to let go of anything for it. */
    @Test
    void aRepeatOfWhatWasAppliedWaitsForNobody() {
        long id = writer.request(new Operation.Put(A, new byte[] {2}, Operation.MUST_NOT_EXIST));
        Outcome first = outcome(writer);
        cache("/a");
        writer.send(new ClientFrame.Request(id, 0, new Operation.Put(A, new byte[] {2}, Operation.MUST_NOT_EXIST)));
        assertThat(outcome(writer)).isEqualTo(first);
        assertThat(reader.received()).isEmpty();
    }

    @Test
    void aSessionThatDidNotAskForItCachesNothing() {
        assertThat(writer.cacheableRead("/a").fill()).isNull();
        TestSession stranger = new TestSession(cluster, leader, 1, 30);
        assertThat(stranger.cacheableRead("/a").fill()).isNull();
        reader.send(new ClientFrame.Read(1, reading("/a")));
        assertThat(reader.one(ServerFrame.ReadReply.class).fill()).isNull();
    }

    /** R6.6: the session's end is as good as its acknowledgement. */
    @Test
    void afterATakeoverValuesWaitForEveryCachingSessionAndLocksForNone() {
        cache("/a");
        cluster.isolated.add(leader.name());
        TestReplica next = cluster.leader();
        TestSession again = new TestSession(cluster, next, 1, 1);
        again.session = writer.session;
        System.arraycopy(writer.secret, 0, again.secret, 0, 16);
        again.attach(2);
        again.nextId = 100;
        again.request(putting("/b"));
        again.one(ServerFrame.Held.class);
        assertThat(again.call(acquiring("/lock"))).isInstanceOf(Outcome.Placed.class);

        TestSession moved = new TestSession(cluster, next, 1, 2);
        moved.session = reader.session;
        System.arraycopy(reader.secret, 0, moved.secret, 0, 16);
        moved.attach(2);
        assertThat(again.received()).isEmpty(); // ADR 0014, history 2: an attach may have been sent long ago
        long term = next.loop.status().cell(TestReplica.CELL).term();
        moved.send(new ClientFrame.CacheAck(term - 1, 0));
        assertThat(again.received()).isEmpty();
        moved.send(new ClientFrame.CacheAck(term, 0));
        assertThat(again.one(ServerFrame.Reply.class).outcome()).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void whoWaitsIsToldWhenTheLeadIsLost() {
        cache("/a");
        long id = writer.request(putting("/a"));
        writer.one(ServerFrame.Held.class);
        cluster.isolated.add(leader.name());
        cluster.runUntil(() -> !leader.isServing());
        assertThat(writer.received()).anySatisfy(frame -> {
            assertThat(frame).isInstanceOf(ServerFrame.Refused.class);
            ServerFrame.Refused refused = (ServerFrame.Refused) frame;
            assertThat(refused.id()).isEqualTo(id);
            assertThat(refused.definite()).isTrue();
        });
    }
}
