package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.RaftMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches of KeepAlives at the leader (R3.5). */
class KeepAliveDeskTest {
    private static final long MILLI = TestCluster.MILLI;

    private final TestCluster cluster = TestCluster.started(3);
    private final TestReplica leader = cluster.leader();
    private long number;

    private void send(UpstreamFrame.Heard... heard) {
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.KeepAlives(++number, Arrays.asList(heard))));
    }

    private static boolean hasEntries(PeerFrame frame) {
        return frame instanceof PeerFrame.Messages messages
                && messages.messages().stream()
                        .anyMatch(one -> one.message() instanceof RaftMessage.AppendRequest append
                                && !append.entries().isEmpty());
    }

    private static UpstreamFrame.Heard of(TestSession client, long sendNumber) {
        return new UpstreamFrame.Heard(client.stream, client.session, sendNumber);
    }

    private <F extends DownstreamFrame> List<F> take(Class<F> type) {
        List<F> found = new ArrayList<>();
        leader.sent.removeIf(
                sent -> sent.link() == 1 && type.isInstance(sent.frame()) && found.add(type.cast(sent.frame())));
        return found;
    }

    private DownstreamFrame.KeepAlivesSettled settled() {
        cluster.settle();
        List<DownstreamFrame.KeepAlivesSettled> all = take(DownstreamFrame.KeepAlivesSettled.class);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void aBatchRenewsAllThatItListsAndNobodyElse() {
        TestSession one = TestSession.opened(cluster, leader, 1);
        TestSession two = TestSession.opened(cluster, leader, 2);
        TestSession silent = TestSession.opened(cluster, leader, 3);
        for (int second = 0; second < 5; second++) {
            cluster.runFor(4_000 * MILLI);
            if (cluster.leader() == leader) {
                send(of(one, second), of(two, second));
                DownstreamFrame.KeepAlivesSettled answer = settled();
                assertThat(answer.number()).isEqualTo(number);
                assertThat(answer.notRenewed()).isEmpty();
                assertThat(answer.unbound()).isEmpty();
            }
        }
        assertThat(leader.meter.keepAlives).isEqualTo(10);
        assertThat(leader.meter.keepAliveBatches).isEqualTo(5);
        assertThat(silent.received()).singleElement().isInstanceOf(ServerFrame.SessionEnded.class);
        assertThat(one.received()).isEmpty();
        assertThat(two.received()).isEmpty();
        assertThat(leader.meter.leasesRunOut).isEqualTo(1);
    }

    /** R2.6: without a majority nothing is confirmed, and what waited is refused when the lead is lost. */
    @Test
    void aBatchIsConfirmedOnlyByACheckThatBeganAfterItCame() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.isolated.add(leader.name());
        send(of(client, 5));
        cluster.runFor(500 * MILLI);
        assertThat(take(DownstreamFrame.KeepAlivesSettled.class)).isEmpty();
        cluster.runFor(5_000 * MILLI);
        assertThat(take(DownstreamFrame.KeepAlivesSettled.class)).isEmpty();
        assertThat(take(DownstreamFrame.KeepAlivesRefused.class))
                .singleElement()
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }

    /** R3.2: nothing renews what is expiring. */
    @Test
    void anExpiringSessionIsNotRenewed() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        TestSession other = TestSession.opened(cluster, leader, 2);
        cluster.runFor(4_000 * MILLI);
        send(of(other, 1));
        settled();
        cluster.lost = KeepAliveDeskTest::hasEntries; // so that the expiry is proposed and does not commit
        cluster.runFor(8_100 * MILLI);
        send(of(other, 2), of(client, 2));
        assertThat(settled().notRenewed()).containsExactly(1);
    }

    /** One alone is a message too: whoever looks whether there is one a second sees all of them. */
    @Test
    void aSingleKeepAliveIsCountedAsAMessage() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        client.send(new ClientFrame.KeepAlive(2, 0));
        client.one(ServerFrame.KeepAliveAck.class);
        assertThat(leader.meter.keepAliveBatches).isEqualTo(1);
    }

    /** R3.6: confirmations stop at once. */
    @Test
    void whatIsBeingEndedIsNotRenewed() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        TestSession operator = TestSession.opened(cluster, leader, 2);
        operator.send(new ClientFrame.OneShot(9, new Operation.EndSession(client.session)));
        operator.received();
        send(of(client, 2), of(operator, 3));
        assertThat(settled().notRenewed()).containsExactly(0);
    }

    /** R6.2, R6.3: for each session of the batch, in the step that renews it. */
    @Test
    void theCacheLeaseOfWhoHasNotLetGoIsNotRenewedWithTheSession() {
        TestSession reader = TestSession.caching(cluster, leader, 1);
        TestSession other = TestSession.caching(cluster, leader, 2);
        TestSession writer = TestSession.opened(cluster, leader, 3);
        reader.cacheableRead("/a");
        cluster.runFor(3_000 * MILLI);
        writer.request(TestSession.putting("/a"));
        writer.one(ServerFrame.Held.class);
        ServerFrame.Invalidate told = reader.one(ServerFrame.Invalidate.class);
        send(of(reader, 7), of(other, 7), of(writer, 7));
        DownstreamFrame.KeepAlivesSettled answer = settled();
        assertThat(answer.notRenewed()).isEmpty();
        assertThat(answer.unbound()).isEmpty();
        assertThat(answer.cacheNotRenewed()).containsExactly(0, 2); // one has not let go, one caches nothing
        cluster.runFor(8_900 * MILLI);
        assertThat(writer.received()).isEmpty();
        cluster.runFor(200 * MILLI); // 12 s after what renewed its cache lease last
        assertThat(writer.one(ServerFrame.Reply.class).outcome()).isInstanceOf(Outcome.Written.class);
        reader.send(new ClientFrame.CacheAck(answer.epoch(), told.number()));
        send(of(reader, 8), of(other, 8), of(writer, 8));
        assertThat(settled().cacheNotRenewed()).containsExactly(2);
    }

    /** R6.2: a batch gives a cache lease that a write waits for. */
    @Test
    void aBatchRenewsCacheLeases() {
        TestSession reader = TestSession.caching(cluster, leader, 1);
        TestSession writer = TestSession.opened(cluster, leader, 3);
        reader.cacheableRead("/a");
        cluster.runFor(8_000 * MILLI);
        send(of(reader, 7), of(writer, 7));
        assertThat(settled().cacheNotRenewed()).containsExactly(1);
        cluster.runFor(2_000 * MILLI);
        send(of(writer, 8));
        settled();
        writer.request(TestSession.putting("/a"));
        writer.one(ServerFrame.Held.class);
        cluster.runFor(9_800 * MILLI);
        assertThat(writer.received()).isEmpty();
        cluster.runFor(400 * MILLI);
        assertThat(writer.one(ServerFrame.Reply.class).outcome()).isInstanceOf(Outcome.Written.class);
    }

    /** R6.4: what counts is for whom the stream speaks when the batch is settled. */
    @Test
    void aStreamThatDoesNotSpeakForTheSessionRenewsNothing() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        TestSession moved = new TestSession(cluster, leader, 2, 1);
        System.arraycopy(client.secret, 0, moved.secret, 0, 16);
        moved.session = client.session;
        moved.attach(5);
        client.received();
        TestSession other = TestSession.opened(cluster, leader, 3);
        send(
                of(client, 2),
                new UpstreamFrame.Heard(other.stream, client.session, 3),
                new UpstreamFrame.Heard(77, other.session, 3),
                new UpstreamFrame.Heard(other.stream, new SessionId(4_711), 3),
                of(other, 3));
        DownstreamFrame.KeepAlivesSettled answer = settled();
        assertThat(answer.unbound()).containsExactly(0, 1, 2, 3);
        assertThat(answer.notRenewed()).isEmpty();
        assertThat(leader.meter.keepAlives).isEqualTo(1);
        assertThat(client.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.REPLACED);
    }

    /** R8.4: as many as a front end that keeps to the protocol has on its way. */
    @Test
    void moreBatchesThanAFrontEndMayHaveAreRefused() {
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.lost = frame -> true;
        for (int i = 0; i <= FrontEndShares.MAX_BATCHES; i++) {
            send(of(client, 2 + i));
        }
        cluster.settle();
        assertThat(take(DownstreamFrame.KeepAlivesRefused.class))
                .singleElement()
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BUSY));
    }

    @Test
    void aBatchIsOneRoundAndNoEntry() {
        List<UpstreamFrame.Heard> all = new ArrayList<>();
        for (int stream = 1; stream <= 50; stream++) {
            all.add(of(TestSession.opened(cluster, leader, stream), 1));
        }
        int entries = leader.log.entriesPersisted;
        send(all.toArray(new UpstreamFrame.Heard[0]));
        settled();
        assertThat(leader.meter.keepAlives).isEqualTo(50);
        assertThat(leader.log.entriesPersisted).isEqualTo(entries);
    }
}
