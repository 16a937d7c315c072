package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.MILLI;
import static io.holdfast.replica.TestCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When sessions and lock-delays end (R1.3, R2.8, R3.2, R3.3, R3.5, R4.6). */
class DeadlinesTest {
    private TestCluster cluster = TestCluster.started(3);

    private TestSession shortLived(TestReplica leader, long stream) {
        TestSession client = new TestSession(cluster, leader, 1, stream);
        client.open(4_000);
        client.attach(1);
        return client;
    }

    @Test
    void aSilentSessionEndsWithinOneLeaseAndItsLockIsGranted() {
        TestReplica leader = cluster.leader();
        TestSession dead = shortLived(leader, 1);
        TestSession alive = TestSession.opened(cluster, leader, 2);
        dead.acquire("/a");
        Outcome.Placed waiting = alive.acquire("/a");
        cluster.runFor(3_900 * MILLI);
        assertThat(dead.received()).isEmpty();
        cluster.runFor(400 * MILLI);
        dead.one(ServerFrame.SessionEnded.class);
        assertThat(alive.one(ServerFrame.Granted.class).token()).isEqualTo(waiting.token());
        assertThat(leader.meter.leasesRunOut).isEqualTo(1);
    }

    @Test
    void keepAlivesKeepASession() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        for (int i = 2; i < 12; i++) {
            cluster.runFor(3 * SECOND);
            client.send(new ClientFrame.KeepAlive(i));
            assertThat(client.one(ServerFrame.KeepAliveAck.class))
                    .isEqualTo(new ServerFrame.KeepAliveAck(
                            i, true, leader.loop.status().cell(TestReplica.CELL).term()));
        }
        assertThat(leader.meter.keepAlives).isEqualTo(10);
    }

    @Test
    void aKeepAliveThatWaitsForItsCheckWhenTheDeadlinePassesIsSettledFirst() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        cluster.runFor(3_900 * MILLI);
        cluster.networkHeld = true;
        client.send(new ClientFrame.KeepAlive(2));
        cluster.runFor(300 * MILLI); // the deadline passes and its check begins
        assertThat(client.received()).isEmpty();
        cluster.networkHeld = false;
        assertThat(client.one(ServerFrame.KeepAliveAck.class).renewed()).isTrue();
        cluster.runFor(3_500 * MILLI);
        assertThat(client.received()).isEmpty();
    }

    @Test
    void aKeepAliveJudgedAfterTheMarkRenewsNothing() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        cluster.runFor(3_900 * MILLI);
        cluster.networkHeld = true;
        cluster.runFor(200 * MILLI); // the deadline has passed, its check is under way
        client.send(new ClientFrame.KeepAlive(2));
        cluster.runFor(100 * MILLI);
        cluster.networkHeld = false;
        List<ServerFrame> frames = client.received();
        assertThat(frames).noneMatch(frame -> frame instanceof ServerFrame.KeepAliveAck ack && ack.renewed());
        assertThat(frames).hasAtLeastOneElementOfType(ServerFrame.SessionEnded.class);
    }

    /**
     * R1.3: a stop is noticed by what was due meanwhile, so an idle leader without peers must plan to turn often enough:
     * what it can miss is less than the margin that any lease has after one KeepAlive in time.
     */
    @Test
    void anIdleLoopTurnsOftenEnoughToNoticeAPause() {
        TestCluster alone = TestCluster.started(1);
        TestReplica leader = alone.leader();
        for (int i = 0; i < 20; i++) {
            alone.runFor(230 * MILLI);
            assertThat(leader.loop.nextDeadlineNanos() - alone.now).isLessThanOrEqualTo(SECOND);
        }
    }

    @Test
    void nothingExpiresWithoutAMajority() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        cluster.runFor(3_500 * MILLI);
        cluster.isolated.add(leader.name());
        cluster.runFor(900 * MILLI);
        assertThat(leader.loop.machine(TestReplica.CELL).isOpen(client.session)).isTrue();
        assertThat(client.received()).isEmpty();
    }

    @Test
    void aNewLeaderGivesEverySessionAFullLease() {
        TestReplica first = cluster.leader();
        TestSession client = shortLived(first, 1);
        cluster.runFor(3_800 * MILLI);
        cluster.crash(first);
        TestReplica second = cluster.leader();
        cluster.runFor(3_900 * MILLI);
        assertThat(second.loop.machine(TestReplica.CELL).isOpen(client.session)).isTrue();
        cluster.runFor(400 * MILLI);
        assertThat(second.loop.machine(TestReplica.CELL).isOpen(client.session)).isFalse();
    }

    @Test
    void aPauseOfTheProcessExtendsDeadlinesBeforeAnythingIsJudged() {
        cluster = TestCluster.started(1);
        TestReplica alone = cluster.leader();
        TestSession silent = shortLived(alone, 1);
        TestSession heard = shortLived(alone, 2);
        cluster.runFor(1 * SECOND);
        cluster.now += 60 * SECOND; // frozen
        heard.send(new ClientFrame.KeepAlive(2));
        assertThat(heard.one(ServerFrame.KeepAliveAck.class).renewed()).isTrue();
        assertThat(silent.received()).isEmpty();
        cluster.runFor(2_500 * MILLI);
        assertThat(silent.received()).isEmpty();
        heard.send(new ClientFrame.KeepAlive(3));
        cluster.runFor(2_000 * MILLI);
        silent.one(ServerFrame.SessionEnded.class);
        heard.one(ServerFrame.KeepAliveAck.class);
    }

    @Test
    void openingAgainRenewsOrSaysThatItIsOver() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        cluster.runFor(3_500 * MILLI);
        SessionId before = client.session;
        client.open(4_000);
        assertThat(client.session).isEqualTo(before);
        cluster.runFor(3_500 * MILLI);
        assertThat(client.received()).isEmpty();
        cluster.runFor(1_000 * MILLI);
        client.one(ServerFrame.SessionEnded.class);
    }

    @Test
    void aLockDelayHoldsTheLockAfterItsSessionExpired() {
        TestReplica leader = cluster.leader();
        TestSession dead = shortLived(leader, 1);
        TestSession next = TestSession.opened(cluster, leader, 2);
        dead.call(new Operation.Acquire(new NodePath("/a"), LockMode.EXCLUSIVE, false, 3_000, new byte[0]));
        Outcome.Placed waiting = next.acquire("/a");
        cluster.runFor(4_300 * MILLI);
        dead.one(ServerFrame.SessionEnded.class);
        cluster.runFor(2_500 * MILLI);
        assertThat(next.received()).isEmpty();
        cluster.runFor(500 * MILLI);
        assertThat(next.one(ServerFrame.Granted.class).token()).isEqualTo(waiting.token());
    }

    @Test
    void sessionsAreShownWithWhatIsLeft() {
        TestReplica leader = cluster.leader();
        TestSession client = shortLived(leader, 1);
        cluster.runFor(1_500 * MILLI);
        client.send(new ClientFrame.Read(1, new Query.ListSessions(new SessionId(0), 10)));
        Answer.Sessions sessions =
                (Answer.Sessions) client.one(ServerFrame.ReadReply.class).answer();
        assertThat(sessions.sessions()).singleElement().satisfies(info -> {
            assertThat(info.remainingMillis()).isBetween(2_400L, 2_600L);
            assertThat(info.expiring()).isFalse();
        });
    }
}
