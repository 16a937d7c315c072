package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.Outcome;
import io.holdfast.raft.MembershipChange;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.raft.ReplicaId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who takes part in consensus, and when (ADR 0002; R8.2, C16, C87). */
class FormationTest {
    private TestCluster cluster = new TestCluster(3, SnapshotPolicy.defaults());

    private void startAll() {
        cluster.replicas.forEach(TestReplica::start);
    }

    private static boolean isFormed(TestReplica replica) {
        return replica.loop.status().formed();
    }

    /** A new data directory under the same name. */
    private TestReplica wiped(TestReplica replica) {
        cluster.crash(replica);
        TestReplica fresh = cluster.make(replica.name(), "b");
        cluster.replace(fresh);
        return fresh;
    }

    @Test
    void aSingleReplicaFormsAtOnce() {
        cluster = new TestCluster(1, SnapshotPolicy.defaults());
        startAll();
        cluster.settle();
        assertThat(isFormed(cluster.get("r1"))).isTrue();
        assertThat(cluster.get("r1").recordedMembers).containsExactly(new ReplicaId("r1@a"));
    }

    @Test
    void allMembersAreNeededNotAMajority() {
        cluster.get("r1").start();
        cluster.get("r2").start();
        cluster.runFor(30 * SECOND);
        assertThat(isFormed(cluster.get("r1"))).isFalse();
        assertThat(cluster.get("r1").recordedMembers).isEmpty();
        assertThat(cluster.get("r1").notices).singleElement().asString().contains("no word from [r3]");
        cluster.get("r3").start();
        cluster.leader();
        assertThat(cluster.replicas).allMatch(FormationTest::isFormed);
    }

    @Test
    void formationIsQuick() {
        startAll();
        cluster.settle();
        assertThat(cluster.replicas).allMatch(FormationTest::isFormed); // no waiting for a timer
    }

    @Test
    void aCrashAfterTheRecordAndBeforeTheStartIsMadeGood() {
        startAll();
        cluster.settle();
        cluster.replicas.forEach(cluster::crash);
        cluster.replicas.forEach(one -> assertThat(one.log.recovered()).isEmpty());
        startAll();
        cluster.settle();
        assertThat(cluster.replicas).allMatch(FormationTest::isFormed);
    }

    @Test
    void oneFormedAndTheOthersCrashedBefore() {
        startAll();
        cluster.settle();
        cluster.crash(cluster.get("r2"));
        cluster.crash(cluster.get("r3"));
        cluster.runFor(5 * SECOND); // r1 asks for votes and has a term now
        cluster.get("r2").start();
        assertThat(isFormed(cluster.get("r2"))).isFalse();
        cluster.runUntil(() -> cluster.serving() != null);
        assertThat(isFormed(cluster.get("r2"))).isTrue();
    }

    @Test
    void aFormedMajorityStartsWithoutTheRest() {
        startAll();
        cluster.leader();
        cluster.replicas.forEach(cluster::crash);
        cluster.get("r1").start();
        cluster.get("r3").start();
        cluster.leader();
    }

    @Test
    void nobodyFormsTwoListsWhenAReplicaIsWipedMeanwhile() {
        cluster.lost = frame -> frame instanceof PeerFrame.Greeting greeting
                && greeting.from().name().equals("r3")
                && greeting.heard().size() == 3; // nobody learns that r3 agreed
        startAll();
        cluster.runFor(2 * SECOND);
        assertThat(isFormed(cluster.get("r1"))).isFalse();
        assertThat(cluster.get("r1").recordedMembers).hasSize(3);
        TestReplica fresh = wiped(cluster.get("r3"));
        cluster.lost = frame -> false;
        fresh.start();
        cluster.runFor(30 * SECOND);
        assertThat(cluster.replicas).noneMatch(FormationTest::isFormed);
        assertThat(cluster.get("r1").notices).anyMatch(notice -> notice.contains("r3's data directory was replaced"));
    }

    @Test
    void aWipedReplicaTakesNoPartAndSaysSoOnce() {
        startAll();
        cluster.leader();
        TestReplica fresh = wiped(cluster.get("r2"));
        fresh.start();
        cluster.runFor(50 * SECOND);
        assertThat(isFormed(fresh)).isFalse();
        assertThat(fresh.notices).singleElement().asString().contains("it was wiped or replaced", "r2@a", "r2@b");
        assertThat(cluster.serving()).isNotNull();
        cluster.runFor(60 * SECOND);
        assertThat(fresh.notices).hasSize(2);
    }

    /** C16: X on three of five; one of those wiped, two that never saw X. A majority of names, no majority of votes. */
    @Test
    void aWipedMemberDoesNotHelpAMajorityThatLacksAnAcknowledgedEntry() {
        cluster = new TestCluster(5, SnapshotPolicy.defaults());
        startAll();
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        List<TestReplica> others =
                cluster.replicas.stream().filter(one -> one != leader).toList();
        List<TestReplica> stale = others.subList(0, 2);
        stale.forEach(one -> cluster.isolated.add(one.name()));
        assertThat(client.call(TestSession.putting("/x"))).isInstanceOf(Outcome.Written.class);
        cluster.isolated.clear();
        cluster.replicas.forEach(cluster::crash);
        TestReplica fresh = wiped(others.get(3));
        fresh.start();
        stale.forEach(TestReplica::start);
        cluster.runFor(30 * SECOND);
        assertThat(cluster.serving()).isNull();
        assertThat(isFormed(fresh)).isFalse();
        others.get(2).start(); // it has X
        TestReplica next = cluster.leader();
        assertThat(next).isSameAs(others.get(2));
    }

    @Test
    void aReplacedReplicaJoinsAnIdleCellAsALearner() {
        startAll();
        TestReplica leader = cluster.leader();
        TestReplica victim = cluster.replicas.stream()
                .filter(one -> one != leader)
                .findFirst()
                .orElseThrow();
        ReplicaId old = victim.id;
        TestReplica fresh = wiped(victim);
        fresh.start();
        cluster.runFor(2 * SECOND);
        change(leader, new MembershipChange.Remove(old));
        cluster.runFor(2 * SECOND);
        change(leader, new MembershipChange.AddLearner(fresh.id));
        cluster.runUntil(() -> isFormed(fresh));
        assertThat(fresh.recordedMembers).hasSize(2).doesNotContain(fresh.id);
        cluster.runUntil(() -> fresh.loop.machine(TestReplica.CELL).appliedIndex()
                == leader.loop.machine(TestReplica.CELL).appliedIndex());
        change(leader, new MembershipChange.Promote(fresh.id));
        cluster.runFor(2 * SECOND);
        assertThat(fresh.loop.core(TestReplica.CELL).status().membership().isVoter(fresh.id))
                .isTrue();
        cluster.crash(fresh);
        fresh.start();
        cluster.settle();
        assertThat(isFormed(fresh)).isTrue();
        assertThat(fresh.loop.core(TestReplica.CELL).status().membership().isVoter(fresh.id))
                .isTrue();
    }

    private static void change(TestReplica leader, MembershipChange change) {
        leader.loop.offer(new LoopInput.Internal(() -> leader.loop.changeMembership(TestReplica.CELL, change)));
    }

    @Test
    void aRefusedChangeOfMembershipIsSaid() {
        startAll();
        TestReplica leader = cluster.leader();
        TestReplica follower = cluster.replicas.stream()
                .filter(one -> one != leader)
                .findFirst()
                .orElseThrow();
        cluster.runFor(SECOND);
        change(leader, new MembershipChange.Remove(new ReplicaId("r9@x")));
        change(follower, new MembershipChange.Remove(leader.id));
        cluster.settle();
        assertThat(leader.notices).anyMatch(notice -> notice.contains("r9@x") && notice.contains("makes no sense"));
        assertThat(follower.notices)
                .anyMatch(notice -> notice.contains(leader.id.toString()) && notice.contains("does not lead it"));
    }

    @Test
    void framesForAnotherIncarnationAreDropped() {
        startAll();
        TestReplica leader = cluster.leader();
        TestReplica follower = cluster.replicas.stream()
                .filter(one -> one != leader)
                .findFirst()
                .orElseThrow();
        cluster.isolated.add(follower.name());
        cluster.frames.clear();
        cluster.runFor(300 * TestCluster.MILLI);
        for (PeerFrame frame : cluster.frames) {
            if (frame instanceof PeerFrame.Messages messages && messages.to().equals(follower.id)) {
                follower.loop.offer(new LoopInput.FromPeer(new PeerFrame.Messages(
                        messages.from(), new ReplicaId(follower.name() + "@b"), messages.messages())));
            }
        }
        cluster.runFor(4 * SECOND);
        assertThat(follower.loop.status().cell(TestReplica.CELL).role()).isNotEqualTo(Role.FOLLOWER);
    }

    @Test
    void anotherDeploymentIsIgnored() {
        startAll();
        TestReplica r1 = cluster.get("r1");
        cluster.isolated.add("r2");
        r1.loop.offer(new LoopInput.FromPeer(
                new PeerFrame.Greeting(new ReplicaId("r2@z"), "other", List.of(), List.of(new ReplicaId("r2@z")))));
        cluster.runFor(SECOND);
        assertThat(r1.notices).anyMatch(notice -> notice.contains("deployment 'other'"));
        assertThat(r1.recordedMembers).isEmpty();
    }

    /** R8.2: no vote and no acknowledgement before a lost log would be noticed. */
    @Test
    void nothingIsPromisedBeforeTheStartIsOnRecord() {
        cluster.replicas.forEach(one -> one.startRecordHeld = true);
        startAll();
        cluster.runFor(10 * SECOND);
        assertThat(cluster.replicas).allMatch(FormationTest::isFormed);
        assertThat(cluster.serving()).isNull();
        assertThat(cluster.frames)
                .filteredOn(FormationTest::promises)
                .as("promises before the record")
                .isEmpty();
        for (TestReplica one : cluster.replicas) {
            one.startRecordHeld = false;
            one.heldStartRecord.run();
        }
        cluster.leader();
        assertThat(cluster.replicas).allMatch(one -> one.recordedStart);
    }

    private static boolean promises(PeerFrame frame) {
        return frame instanceof PeerFrame.Messages messages
                && messages.messages().stream()
                        .anyMatch(sent -> sent.message() instanceof RaftMessage.VoteResponse
                                || sent.message() instanceof RaftMessage.AppendResponse);
    }

    /** A crash between the two writes leaves a log without a mark: the mark is made good before anything is answered. */
    @Test
    void aLogWithoutTheMarkIsMarkedBeforeTheReplicaTakesPart() {
        startAll();
        cluster.leader();
        cluster.replicas.forEach(cluster::crash);
        cluster.replicas.forEach(one -> {
            one.recordedStart = false;
            one.startRecordHeld = true;
        });
        startAll();
        cluster.runFor(10 * SECOND);
        assertThat(cluster.serving()).isNull();
        cluster.replicas.forEach(one -> one.heldStartRecord.run());
        cluster.leader();
        assertThat(cluster.replicas).allMatch(one -> one.recordedStart);
    }

    @Test
    void aRecordAndALogMustBelongTogether() {
        startAll();
        cluster.leader();
        TestReplica r1 = cluster.get("r1");
        List<ReplicaId> members = r1.recordedMembers;
        cluster.crash(r1);
        r1.recordedMembers = List.of();
        assertThatThrownBy(r1::start)
                .hasRootCauseInstanceOf(StartRefusedException.class)
                .hasMessageContaining("no record");
        TestReplica lostLog = cluster.make("r1", "a");
        lostLog.recordedMembers = members;
        lostLog.recordedStart = true;
        assertThatThrownBy(lostLog::start)
                .hasRootCauseInstanceOf(StartRefusedException.class)
                .hasMessageContaining("its log is gone");
    }
}
