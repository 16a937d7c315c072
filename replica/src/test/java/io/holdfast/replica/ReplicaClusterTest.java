package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** Three loops in one process. */
class ReplicaClusterTest {
    private final TestCluster cluster = TestCluster.started(3);

    @Test
    void formsElectsAndServes() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 7);
        Outcome.Placed placed = client.acquire("/jobs/a");
        assertThat(placed.held()).isTrue();
        cluster.runFor(3 * TestCluster.SECOND);
        for (TestReplica replica : cluster.replicas) {
            ReplicaStatus.CellView view = replica.loop.status().cell(TestReplica.CELL);
            assertThat(view.leader()).isEqualTo(leader.name());
            assertThat(view.digest())
                    .isEqualTo(leader.loop.status().cell(TestReplica.CELL).digest());
            assertThat(replica.recordedMembers).hasSize(3);
            assertThat(replica.recordedStart).isTrue();
        }
    }

    @Test
    void statusShowsReplicasAndTheirDigests() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 7);
        cluster.runFor(3 * TestCluster.SECOND);
        client.received();
        client.send(new ClientFrame.Read(5, new Query.CellStatus()));
        Answer.Status status =
                (Answer.Status) client.one(ServerFrame.ReadReply.class).answer();
        assertThat(status.leader()).isEqualTo(leader.name());
        assertThat(status.replicas()).hasSize(3).allSatisfy(replica -> {
            assertThat(replica.reachable()).isTrue();
            assertThat(replica.appliedIndex()).isEqualTo(status.appliedIndex());
            assertThat(replica.digest())
                    .isEqualTo(leader.loop.status().cell(TestReplica.CELL).digest());
        });
        assertThat(status.replicas()).extracting(Answer.ReplicaInfo::role).containsOnlyOnce("leader");
    }

    @Test
    void everythingSurvivesACrashOfAll() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 7);
        Outcome.Placed placed = client.acquire("/jobs/a");
        cluster.replicas.forEach(cluster::crash);
        cluster.replicas.forEach(TestReplica::start);
        TestReplica next = cluster.leader();
        TestSession again = new TestSession(cluster, next, 3, 7);
        System.arraycopy(client.secret, 0, again.secret, 0, 16);
        again.session = client.session;
        again.attach(2);
        again.send(new ClientFrame.Read(1, new Query.PlaceState(placed.place(), placed.token())));
        Answer.Place place =
                (Answer.Place) again.one(ServerFrame.ReadReply.class).answer();
        assertThat(place.held()).isTrue();
    }

    @Test
    void aNewLeaderTakesOverWithinTheElectionTimeout() {
        TestReplica first = cluster.leader();
        cluster.crash(first);
        long before = cluster.now;
        TestReplica second = cluster.leader();
        assertThat(second).isNotSameAs(first);
        assertThat(cluster.now - before).isLessThan(4 * TestCluster.SECOND);
    }
}
