package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.SECOND;
import static io.holdfast.replica.TestReplica.CELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** Snapshots taken, sent, installed and restored (C10, C12, C15, C100). */
class SnapshotsTest {
    private static final SnapshotPolicy POLICY = new SnapshotPolicy(20, 24L << 20, 5, 2, 10 * SECOND);

    private final TestCluster cluster = new TestCluster(3, POLICY);

    private TestReplica started() {
        cluster.replicas.forEach(TestReplica::start);
        return cluster.leader();
    }

    private void put(TestReplica leader, int count, int bytes) {
        for (int i = 0; i < count; i++) {
            TestSession client = new TestSession(cluster, leader, 9, i);
            client.send(new ClientFrame.OneShot(
                    i, new Operation.Put(new NodePath("/v" + i), new byte[bytes], Operation.ANY_VERSION)));
            assertThat(client.one(ServerFrame.Reply.class).outcome()).isInstanceOf(Outcome.Written.class);
        }
    }

    private void assertAllEqual() {
        cluster.runFor(SECOND);
        long index = cluster.serving().loop.machine(CELL).appliedIndex();
        long digest = cluster.serving().loop.machine(CELL).digest();
        for (TestReplica replica : cluster.replicas) {
            assertThat(replica.loop.machine(CELL).appliedIndex()).isEqualTo(index);
            assertThat(replica.loop.machine(CELL).digest()).isEqualTo(digest);
            assertThat(replica.loop.machine(CELL).recomputeDigest()).isEqualTo(digest);
        }
    }

    @Test
    void theLogIsBoundedAndARestartGoesOnFromTheSnapshot() {
        TestReplica leader = started();
        put(leader, 100, 10);
        for (TestReplica replica : cluster.replicas) {
            assertThat(replica.snapshots.complete).hasSize(2);
            assertThat(replica.meter.snapshotNanos).hasSizeGreaterThanOrEqualTo(2);
            assertThat(replica.loop.core(CELL).retainedEntries()).hasSizeBetween(5, 30);
        }
        cluster.replicas.forEach(cluster::crash);
        cluster.replicas.forEach(TestReplica::start);
        cluster.leader();
        assertAllEqual();
        assertThat(cluster.serving().loop.machine(CELL).nodeCount()).isEqualTo(101);
    }

    @Test
    void aFollowerThatWasDownCatchesUpBySnapshotInPieces() {
        TestReplica leader = started();
        TestReplica down = follower(leader);
        cluster.crash(down);
        put(leader, 60, 30_000);
        down.start();
        cluster.runFor(3 * SECOND);
        assertThat(down.snapshots.complete).isNotEmpty();
        assertThat(down.loop.machine(CELL).nodeCount()).isEqualTo(61);
        assertAllEqual();
        cluster.crash(down);
        down.start();
        assertAllEqual(); // C12
        put(leader, 10, 10);
        assertAllEqual();
    }

    @Test
    void aTransferThatLosesItsLeaderEndsWithTheNext() {
        TestReplica leader = started();
        TestReplica down = follower(leader);
        cluster.crash(down);
        put(leader, 60, 30_000);
        down.workerHeld = true;
        down.start();
        cluster.runFor(SECOND);
        assertThat(down.work).isNotEmpty();
        cluster.crash(leader);
        cluster.runFor(100 * TestCluster.MILLI);
        down.workerHeld = false;
        TestReplica next = cluster.leader();
        put(next, 10, 10);
        leader.start();
        cluster.runFor(3 * SECOND);
        assertAllEqual();
    }

    private TestReplica follower(TestReplica leader) {
        return cluster.replicas.stream()
                .filter(one -> one != leader)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void commitsAndKeepAlivesGoOnWhileASnapshotIsWritten() {
        TestReplica leader = started();
        TestSession client = TestSession.opened(cluster, leader, 1);
        cluster.replicas.forEach(one -> one.workerHeld = true);
        put(leader, 70, 10);
        assertThat(leader.snapshots.complete).isEmpty();
        assertThat(leader.work).hasSize(1); // one at a time
        client.send(new ClientFrame.KeepAlive(1));
        assertThat(client.one(ServerFrame.KeepAliveAck.class).renewed()).isTrue();
        cluster.replicas.forEach(one -> one.workerHeld = false);
        assertAllEqual();
        assertThat(leader.snapshots.complete).hasSize(2);
    }

    @Test
    void aFullDiskIsReportedOnceAndHarmsNothing() {
        TestReplica leader = started();
        leader.snapshots.full = true;
        put(leader, 70, 10);
        cluster.runFor(35 * SECOND);
        assertThat(leader.notices).singleElement().asString().contains("could not be written", "No space left");
        leader.snapshots.full = false;
        cluster.runFor(11 * SECOND);
        assertThat(leader.snapshots.complete).hasSize(1);
        assertThat(leader.notices).hasSize(2);
        assertAllEqual();
    }

    /** R8.3: a failed fsync ends the process; a notice and another attempt would trust what may be lost. */
    @Test
    void aSnapshotOfWhichNobodyKnowsWhetherItIsDurableEndsTheReplica() {
        TestReplica leader = started();
        leader.snapshots.unsure = true;
        assertThatThrownBy(() -> put(leader, 70, 10)).hasRootCauseMessage("Input/output error");
        assertThat(leader.fatal).hasSize(1);
        assertThat(leader.snapshots.complete).isEmpty();
    }

    /** It would be written again every ten seconds, and the log would grow. */
    @Test
    void aSnapshotCountsThoughOldOnesCannotBeDeleted() {
        TestReplica leader = started();
        leader.snapshots.undeletable = true;
        put(leader, 70, 10);
        cluster.runFor(35 * SECOND);
        assertThat(leader.loop.core(CELL).retainedEntries()).hasSizeBetween(5, 30);
        assertThat(leader.notices).isNotEmpty().allMatch(notice -> notice.contains("old snapshots cannot be deleted"));
    }

    @Test
    void aFullDiskAtTheReceiverOnlyDelaysIt() {
        TestReplica leader = started();
        TestReplica down = follower(leader);
        cluster.crash(down);
        put(leader, 60, 30_000);
        down.snapshots.full = true;
        down.start();
        cluster.runFor(10 * SECOND);
        assertThat(down.notices).singleElement().asString().contains("cannot be stored");
        down.snapshots.full = false;
        cluster.runFor(10 * SECOND);
        assertAllEqual();
    }

    /** Its own snapshot fails, then the leader's too: it waits for the one and the other and does not turn for nothing. */
    @Test
    void aFullDiskWhileASnapshotComesInDoesNotKeepTheLoopTurning() {
        TestReplica leader = started();
        TestReplica full = follower(leader);
        full.snapshots.full = true;
        put(leader, 30, 10);
        cluster.isolated.add(full.name());
        put(leader, 60, 30_000);
        cluster.isolated.clear();
        for (int i = 0; i < 300; i++) {
            cluster.now += 50 * TestCluster.MILLI;
            cluster.settle();
            assertThat(full.loop.nextDeadlineNanos()).isGreaterThan(cluster.now);
        }
        assertThat(full.notices).anyMatch(notice -> notice.contains("could not be written"));
        assertThat(full.notices).anyMatch(notice -> notice.contains("cannot be stored"));
        full.snapshots.full = false;
        cluster.runFor(15 * SECOND);
        assertAllEqual();
    }

    @Test
    void aQuietCellLetsGoOfOldSegments() {
        TestReplica leader = started();
        put(leader, 3, 10);
        leader.log.pinning.add(CELL);
        cluster.runFor(2 * SECOND);
        assertThat(leader.snapshots.complete).hasSize(1); // there was something to take
        assertThat(leader.log.rewrites).isEqualTo(1);
        assertThat(leader.log.pinning).isEmpty();
        leader.log.pinning.add(CELL);
        cluster.runFor(2 * SECOND);
        assertThat(leader.snapshots.complete).hasSize(1);
        assertThat(leader.log.rewrites).isEqualTo(2);
        cluster.replicas.forEach(cluster::crash);
        cluster.replicas.forEach(TestReplica::start);
        cluster.leader();
        assertAllEqual();
    }

    @Test
    void aLogWithoutItsSnapshotIsRefused() {
        TestReplica leader = started();
        put(leader, 60, 10);
        cluster.crash(leader);
        leader.snapshots.complete.clear();
        assertThatThrownBy(leader::start)
                .hasRootCauseInstanceOf(StartRefusedException.class)
                .hasMessageContaining("snapshot is missing");
    }

    @Test
    void largeValuesCountByBytes() {
        TestCluster other = new TestCluster(1, new SnapshotPolicy(100_000, 1 << 20, 1_000, 2, SECOND));
        TestReplica alone = other.replicas.get(0);
        alone.start();
        other.leader();
        for (int i = 0; i < 60; i++) {
            TestSession client = new TestSession(other, alone, 9, i);
            client.send(new ClientFrame.OneShot(
                    i, new Operation.Put(new NodePath("/v"), new byte[60_000], Operation.ANY_VERSION)));
            client.one(ServerFrame.Reply.class);
        }
        assertThat(alone.snapshots.complete).hasSize(2);
        assertThat(alone.loop.core(CELL).status().logBytes()).isLessThan(2 << 20);
    }
}
