package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Ending;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** N9, F1, C98: what leaves the leader for a hand-over, whatever the number of waiters, and in which order they are served. */
class HandOverTest {
    private static final int WAITERS = 2_000;

    private final TestCluster cluster = TestCluster.started(3);
    private final TestReplica leader = cluster.leader();
    private final List<TestSession> sessions = new ArrayList<>();
    private final List<Outcome.Placed> places = new ArrayList<>();

    private void queue(int count) {
        for (int i = 0; i < count; i++) {
            TestSession session = new TestSession(cluster, leader, 1 + i % 20, 1 + i);
            session.secret[2] = (byte) (i >> 8);
            session.secret[3] = (byte) i;
            session.send(new ClientFrame.Open(1, session.secret, 60_000, "test", false));
            sessions.add(session);
        }
        sessions.forEach(session ->
                session.session = session.one(ServerFrame.Opened.class).session());
        sessions.forEach(session -> session.request(TestSession.acquiring("/election")));
        for (TestSession session : sessions) {
            places.add((Outcome.Placed) session.one(ServerFrame.Reply.class).outcome());
        }
        assertThat(leader.sent).isEmpty();
    }

    private List<ServerFrame> sentToClients() {
        cluster.settle();
        List<ServerFrame> frames = leader.sent.stream()
                .map(one -> ((DownstreamFrame.Deliver) one.frame()).frame())
                .toList();
        leader.sent.clear();
        return frames;
    }

    @Test
    void eachReleaseIsOneReplyAndOneGrantInOrderOfArrival() {
        queue(WAITERS);
        for (int i = 0; i < 100; i++) {
            Outcome.Placed held = places.get(i);
            int entries = leader.log.entriesPersisted;
            sessions.get(i).request(new Operation.Release(held.place(), held.token()));
            List<ServerFrame> sent = sentToClients();
            assertThat(sent).hasSize(2);
            assertThat(sent).hasAtLeastOneElementOfType(ServerFrame.Reply.class);
            assertThat(((ServerFrame.Granted) sent.get(0)).place())
                    .isEqualTo(places.get(i + 1).place());
            assertThat(leader.log.entriesPersisted - entries).isEqualTo(1);
        }
    }

    @Test
    void whoLeavesFromTheMiddleOrIsBrokenThereWakesNobody() {
        queue(600);
        for (int i = 50; i < 550; i++) {
            Outcome.Placed left = places.get(i);
            sessions.get(i).request(new Operation.Release(left.place(), left.token()));
        }
        assertThat(sentToClients()).hasSize(500).allMatch(ServerFrame.Reply.class::isInstance);
        Outcome.Placed broken = places.get(20);
        TestSession operator = new TestSession(cluster, leader, 1, 9_999);
        operator.send(new ClientFrame.OneShot(1, new Operation.BreakPlace(broken.place(), broken.token())));
        assertThat(sentToClients()).hasSize(2); // the notice and the reply
        sessions.get(20)
                .send(new ClientFrame.EndingAck(
                        new Ending.OfPlace(sessions.get(20).session, broken.place(), broken.token())));
        assertThat(sentToClients()).singleElement().isInstanceOf(ServerFrame.PlaceRemoved.class);

        sessions.get(0)
                .request(new Operation.Release(
                        places.get(0).place(), places.get(0).token()));
        assertThat(sentToClients()).hasSize(2).hasAtLeastOneElementOfType(ServerFrame.Granted.class);
    }

    @Test
    void theHeadOfTheQueueThatDiesIsOneGrantToo() {
        queue(200);
        sessions.get(0).request(new Operation.CloseSession());
        List<ServerFrame> sent = sentToClients();
        assertThat(sent.stream().filter(ServerFrame.Granted.class::isInstance))
                .singleElement()
                .isInstanceOfSatisfying(
                        ServerFrame.Granted.class,
                        granted -> assertThat(granted.token())
                                .isEqualTo(places.get(1).token()));
    }
}
