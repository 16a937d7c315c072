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
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.RaftMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a leader does for clients; sessions' deadlines are in {@link DeadlinesTest}. */
class LeaderServiceTest {
    private final TestCluster cluster = TestCluster.started(3);

    private static boolean isAppend(PeerFrame frame) {
        return frame instanceof PeerFrame.Messages messages
                && messages.messages().stream().anyMatch(one -> one.message() instanceof RaftMessage.AppendRequest);
    }

    private long appendsWithEntries() {
        return cluster.frames.stream()
                .filter(PeerFrame.Messages.class::isInstance)
                .flatMap(frame -> ((PeerFrame.Messages) frame).messages().stream())
                .filter(one -> one.message() instanceof RaftMessage.AppendRequest append
                        && !append.entries().isEmpty())
                .count();
    }

    // ---- takeover (R2.4, C36)

    @Test
    void nothingIsAnsweredBeforeTheNoopOfTheTermIsApplied() {
        TestReplica first = cluster.leader();
        TestSession client = TestSession.opened(cluster, first, 7);
        cluster.crash(first);
        cluster.lost = LeaderServiceTest::isAppend;
        TestReplica second = cluster.elected();
        assertThat(second.isServing()).isFalse();
        TestSession again = new TestSession(cluster, second, 1, 7);
        again.session = client.session;
        again.send(new ClientFrame.Attach(client.session, client.secret, 2));
        again.send(new ClientFrame.KeepAlive(3));
        again.send(new ClientFrame.Read(4, reading("/a")));
        assertThat(again.received()).isEmpty();
        cluster.lost = frame -> false;
        cluster.runFor(500 * TestCluster.MILLI);
        assertThat(second.isServing()).isTrue();
        assertThat(again.received())
                .hasSize(3)
                .hasAtLeastOneElementOfType(ServerFrame.Attached.class)
                .hasAtLeastOneElementOfType(ServerFrame.KeepAliveAck.class)
                .hasAtLeastOneElementOfType(ServerFrame.ReadReply.class);
    }

    /** Nobody would ever close the stream that is made for it at the takeover. */
    @Test
    void whatAClosedStreamAskedForBeforeTheTakeoverGoesWithIt() {
        TestReplica first = cluster.leader();
        TestSession client = TestSession.opened(cluster, first, 7);
        cluster.crash(first);
        cluster.lost = LeaderServiceTest::isAppend;
        TestReplica second = cluster.elected();
        TestSession gone = new TestSession(cluster, second, 1, 7);
        gone.send(new ClientFrame.Attach(client.session, client.secret, 2));
        TestSession others = new TestSession(cluster, second, 1, 8);
        for (int i = 0; i < LeaderService.MAX_PARKED; i++) {
            others.send(new ClientFrame.KeepAlive(3));
            if (i % 500 == 0) {
                cluster.settle();
            }
        }
        second.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(7)));
        cluster.settle();
        cluster.lost = frame -> false;
        cluster.runFor(500 * TestCluster.MILLI);
        assertThat(second.isServing()).isTrue();
        assertThat(gone.received()).isEmpty();
    }

    // ---- batching

    @Test
    void allThatWaitsBecomesOneEntry() {
        TestReplica leader = cluster.leader();
        List<TestSession> clients = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            clients.add(TestSession.opened(cluster, leader, i));
        }
        int batches = leader.meter.committedBatches;
        int commands = leader.meter.committedCommands;
        int entries = leader.log.entriesPersisted;
        clients.forEach(client -> client.request(putting("/v" + client.stream)));
        cluster.settle();
        assertThat(leader.meter.committedBatches - batches).isEqualTo(1);
        assertThat(leader.meter.committedCommands - commands).isEqualTo(50);
        assertThat(leader.log.entriesPersisted - entries).isEqualTo(1);
        clients.forEach(client -> client.one(ServerFrame.Reply.class));
    }

    // ---- measures

    @Test
    void whatAnAcquireTookIsMeasuredFromItsArrivalToItsGrant() {
        TestReplica leader = cluster.leader();
        TestSession holder = TestSession.opened(cluster, leader, 1);
        TestSession waiter = TestSession.opened(cluster, leader, 2);
        TestSession leaver = TestSession.opened(cluster, leader, 3);
        Outcome.Placed held = holder.acquire("/a");
        assertThat(leader.meter.acquireNanos).hasSize(1);
        waiter.acquire("/a");
        Outcome.Placed left = leaver.acquire("/a");
        assertThat(leader.meter.acquireNanos).hasSize(1);
        cluster.runFor(3_000 * TestCluster.MILLI);
        leaver.call(new Operation.Release(left.place(), left.token()));
        holder.call(new Operation.Release(held.place(), held.token()));
        waiter.one(ServerFrame.Granted.class);
        assertThat(leader.meter.acquireNanos).hasSize(2);
        assertThat(leader.meter.acquireNanos.get(1)).isBetween(3_000 * TestCluster.MILLI, 3_500 * TestCluster.MILLI);
    }

    /** N9: a grant that comes with the reply is no event, and of three waiters one is told. */
    @Test
    void n9AReleasePutsOneEventOnTheMeterWhateverTheNumberOfWaiters() {
        TestReplica leader = cluster.leader();
        Outcome.Placed held = TestSession.opened(cluster, leader, 1).acquire("/a");
        assertThat(leader.meter.grantsTold).isZero();
        for (int i = 2; i <= 4; i++) {
            TestSession.opened(cluster, leader, i).acquire("/a");
        }
        TestSession.opened(cluster, leader, 5).call(new Operation.Release(held.place(), held.token()));
        assertThat(leader.meter.grantsTold).isZero(); // not its place
        TestSession other = TestSession.opened(cluster, leader, 6);
        Outcome.Placed second = other.acquire("/b");
        TestSession.opened(cluster, leader, 7).acquire("/b");
        other.call(new Operation.Release(second.place(), second.token()));
        assertThat(leader.meter.grantsTold).isEqualTo(1);
    }

    @Test
    void everyEntryThatIsAppliedIsMeasured() {
        TestReplica leader = cluster.leader();
        int applied = leader.meter.applied;
        TestSession client = TestSession.opened(cluster, leader, 1);
        client.call(putting("/v"));
        assertThat(leader.meter.applied - applied).isEqualTo(2);
        cluster.runFor(500 * TestCluster.MILLI);
        assertThat(cluster.replicas).allMatch(replica -> replica.meter.applied == leader.meter.applied);
    }

    @Test
    void commandsThatTheLeadTookWithItAreCountedAsUnknown() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.lost = frame -> true;
        client.request(putting("/v"));
        cluster.runFor(3_000 * TestCluster.MILLI);
        assertThat(leader.isServing()).isFalse();
        assertThat(leader.meter.leftUnknown).isEqualTo(1);
        assertThat(leader.meter.refused).isZero();
    }

    @Test
    void anUncontendedAcquireIsOneEntryAndOneRound() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        int entries = leader.log.entriesPersisted;
        long appends = appendsWithEntries();
        assertThat(client.acquire("/a").held()).isTrue();
        assertThat(leader.log.entriesPersisted - entries).isEqualTo(1);
        assertThat(appendsWithEntries() - appends).isEqualTo(2); // one to each follower
    }

    @Test
    void aBatchIsAtMostAMegabyte() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        int batches = leader.meter.committedBatches;
        for (int i = 0; i < 40; i++) {
            client.request(new Operation.Put(new NodePath("/b" + i), new byte[65_536], Operation.ANY_VERSION));
        }
        assertThat(client.received()).hasSize(40);
        assertThat(leader.meter.committedBatches - batches).isEqualTo(3);
    }

    @Test
    void whatIsWrongInItselfIsRefusedWithoutTheLog() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        int entries = leader.log.entriesPersisted;
        Outcome tooLarge = client.call(new Operation.Put(new NodePath("/b"), new byte[65_537], Operation.ANY_VERSION));
        assertThat(((Outcome.Failed) tooLarge).code()).isEqualTo(ErrorCode.TOO_LARGE);
        client.send(new ClientFrame.OneShot(9, acquiring("/a")));
        Outcome needsSession = client.one(ServerFrame.Reply.class).outcome();
        assertThat(((Outcome.Failed) needsSession).code()).isEqualTo(ErrorCode.INVALID);
        client.send(new ClientFrame.Open(2, new byte[3], 12_000, "x", false));
        assertThat(client.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.INVALID);
        client.send(new ClientFrame.Open(3, new byte[16], 3_999, "x", false));
        assertThat(client.one(ServerFrame.Refused.class).message()).contains("leaseMillis");
        assertThat(leader.log.entriesPersisted).isEqualTo(entries);
    }

    @Test
    void aRepeatedRequestInFlightIsAppliedOnceAndAnsweredTwice() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        ClientFrame.Request request = new ClientFrame.Request(5, 0, acquiring("/a"));
        client.send(request);
        client.send(request);
        List<ServerFrame> replies = client.received();
        assertThat(replies).hasSize(2);
        assertThat(replies.get(0)).isEqualTo(replies.get(1));
    }

    // ---- attaching (R6.4, C33)

    @Test
    void aLaterAttachmentReplacesAnEarlierOneAndNeverTheOtherWayRound() {
        TestReplica leader = cluster.leader();
        TestSession old = TestSession.opened(cluster, leader, 1);
        TestSession later = new TestSession(cluster, leader, 2, 1);
        System.arraycopy(old.secret, 0, later.secret, 0, 16);
        later.session = old.session;
        later.attach(5);
        assertThat(old.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.REPLACED);
        old.request(putting("/a"));
        old.send(new ClientFrame.KeepAlive(3));
        assertThat(old.received())
                .hasSize(2)
                .allSatisfy(frame ->
                        assertThat(((ServerFrame.Refused) frame).code()).isEqualTo(ErrorCode.REPLACED));
        old.send(new ClientFrame.Attach(old.session, old.secret, 4)); // a delayed hand-over
        assertThat(old.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.REPLACED);
        assertThat(later.received()).isEmpty();
        later.send(new ClientFrame.KeepAlive(6));
        assertThat(later.one(ServerFrame.KeepAliveAck.class).renewed()).isTrue();
    }

    @Test
    void attachingNeedsAnOpenSessionAndItsSecret() {
        TestReplica leader = cluster.leader();
        TestSession owner = TestSession.opened(cluster, leader, 1);
        TestSession thief = new TestSession(cluster, leader, 1, 2);
        thief.send(new ClientFrame.Attach(owner.session, thief.secret, 9));
        assertThat(thief.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.FORBIDDEN);
        thief.request(putting("/a"));
        assertThat(thief.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.FORBIDDEN);
        thief.send(new ClientFrame.KeepAlive(1));
        assertThat(thief.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.FORBIDDEN);
        thief.send(new ClientFrame.Attach(new io.holdfast.model.SessionId(999), thief.secret, 9));
        thief.one(ServerFrame.SessionEnded.class);
        assertThat(owner.acquire("/a").held()).isTrue();
    }

    @Test
    void whatFollowsAnAttachWaitsForIt() {
        TestReplica leader = cluster.leader();
        TestSession client = new TestSession(cluster, leader, 1, 1);
        client.open(12_000);
        client.send(new ClientFrame.Attach(client.session, client.secret, 1));
        client.request(acquiring("/a"));
        client.send(new ClientFrame.KeepAlive(2));
        List<ServerFrame> frames = client.received();
        assertThat(frames).hasSize(3);
        assertThat(frames.get(0)).isInstanceOf(ServerFrame.Attached.class);
    }

    /** R8.4: by count for each stream, by bytes for all of them. */
    @Test
    void whatWaitsBehindAttachesIsBounded() {
        HeldBytes together = new HeldBytes();
        ClientStream one = new ClientStream(1, 1, together);
        for (int i = 0; i < ClientStream.MAX_HELD; i++) {
            assertThat(one.hold(new ClientFrame.KeepAlive(i))).isTrue();
        }
        assertThat(one.hold(new ClientFrame.KeepAlive(0))).isFalse();
        one.close();

        ClientFrame large = new ClientFrame.Request(
                1, 0, new Operation.Put(new NodePath("/v"), new byte[60_000], Operation.ANY_VERSION));
        List<ClientStream> streams = new ArrayList<>();
        long held = 0;
        for (int number = 0; number < 100; number++) {
            ClientStream stream = new ClientStream(1, number, together);
            streams.add(stream);
            for (int i = 0; i < 20 && stream.hold(large); i++) {
                held += 60_000;
            }
        }
        assertThat(held).isBetween(HeldBytes.MAX - 200_000, HeldBytes.MAX);
        assertThat(streams.get(0).nextHeld()).isSameAs(large);
        assertThat(streams.get(99).hold(large)).isTrue();
        assertThat(streams.get(98).hold(large)).isFalse();
        streams.get(1).close();
        assertThat(streams.get(98).hold(large)).isTrue();
    }

    // ---- losing the lead

    @Test
    void aDeposedLeaderSaysWhatItKnowsAndNoMore() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.isolated.add(leader.name());
        for (int i = 0; i < ProposalQueue.MAX_IN_FLIGHT; i++) {
            client.request(putting("/a"));
            cluster.settle();
        }
        long waiting = client.request(putting("/a"));
        client.send(new ClientFrame.KeepAlive(40));
        client.send(new ClientFrame.Read(41, reading("/a")));
        assertThat(client.received()).isEmpty();
        cluster.runFor(5 * TestCluster.SECOND);
        List<ServerFrame> frames = client.received();
        assertThat(frames).hasSize(ProposalQueue.MAX_IN_FLIGHT + 3).allSatisfy(frame -> {
            ServerFrame.Refused refused = (ServerFrame.Refused) frame;
            assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE);
            boolean proposed = refused.id() > 0 && refused.id() < waiting;
            assertThat(refused.definite()).isEqualTo(!proposed);
        });
        assertThat(leader.sent).anyMatch(sent -> sent.frame() instanceof DownstreamFrame.NotLeader);
        assertThat(leader.closedLinks).contains(1L);
        client.send(new ClientFrame.Read(42, reading("/a")));
        assertThat(client.received()).isEmpty(); // C38: cannot say
        assertThat(leader.sent).anyMatch(sent -> sent.frame() instanceof DownstreamFrame.NotLeader);
    }

    @Test
    void aLeaderWithoutAMajorityConfirmsNothing() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.isolated.add(leader.name());
        client.send(new ClientFrame.KeepAlive(2));
        client.send(new ClientFrame.Read(3, new Query.CellStatus()));
        client.request(acquiring("/a"));
        for (int i = 0; i < 20; i++) {
            cluster.runFor(200 * TestCluster.MILLI);
            assertThat(client.received())
                    .allSatisfy(frame -> assertThat(frame).isInstanceOf(ServerFrame.Refused.class));
        }
    }

    // ---- order on a stream (R5.2)

    @Test
    void aGrantComesBeforeAReplyThatShowsIt() {
        TestReplica leader = cluster.leader();
        TestSession holder = TestSession.opened(cluster, leader, 1);
        TestSession waiter = TestSession.opened(cluster, leader, 2);
        Outcome.Placed held = holder.acquire("/a");
        Outcome.Placed waiting = waiter.acquire("/a");
        assertThat(waiting.held()).isFalse();
        holder.request(new Operation.Release(held.place(), held.token()));
        waiter.request(putting("/b"));
        List<ServerFrame> frames = waiter.received();
        assertThat(frames).hasSize(2);
        assertThat(frames.get(0)).isEqualTo(new ServerFrame.Granted(waiter.session, waiting.place(), waiting.token()));
        waiter.send(new ClientFrame.Read(9, new Query.PlaceState(waiting.place(), waiting.token())));
        assertThat(((Answer.Place) waiter.one(ServerFrame.ReadReply.class).answer()).held())
                .isTrue();
    }

    @Test
    void aPlaceMadeAndGrantedInOneEntryIsToldOnce() {
        TestReplica leader = cluster.leader();
        TestSession holder = TestSession.opened(cluster, leader, 1);
        TestSession waiter = TestSession.opened(cluster, leader, 2);
        Outcome.Placed held = holder.acquire("/a");
        waiter.request(acquiring("/a"));
        holder.request(new Operation.Release(held.place(), held.token()));
        int batches = leader.meter.committedBatches;
        Outcome.Placed placed =
                (Outcome.Placed) waiter.one(ServerFrame.Reply.class).outcome();
        assertThat(placed.held()).isTrue();
        assertThat(leader.meter.committedBatches - batches).isEqualTo(1);
    }

    @Test
    void aClosedStreamLeavesTheSessionAlone() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        client.acquire("/a");
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(1)));
        leader.loop.offer(new LoopInput.UpstreamClosed(1));
        TestSession again = new TestSession(cluster, leader, 2, 1);
        System.arraycopy(client.secret, 0, again.secret, 0, 16);
        again.session = client.session;
        again.attach(2);
        again.nextId = client.nextId;
        again.request(new Operation.CloseSession());
        List<ServerFrame> frames = again.received();
        assertThat(frames).hasSize(2);
        assertThat(((ServerFrame.Reply) frames.get(0)).outcome()).isInstanceOf(Outcome.SessionClosed.class);
        assertThat(frames.get(1)).isInstanceOf(ServerFrame.SessionEnded.class);
    }
}
