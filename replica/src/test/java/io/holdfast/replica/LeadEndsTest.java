package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.MILLI;
import static io.holdfast.replica.TestCluster.SECOND;
import static io.holdfast.replica.TestSession.putting;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftOutput.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lead that is handed over or given up, and what operators are told of it (R2.8, issue 3 Build 1). */
class LeadEndsTest {
    private final TestCluster cluster = TestCluster.started(3);

    private List<TestReplica> followers(TestReplica leader) {
        return cluster.replicas.stream().filter(one -> one != leader).toList();
    }

    private void handOver(TestReplica replica) {
        replica.loop.offer(new LoopInput.Internal(replica.loop::handOverLeads));
    }

    @Test
    void aLeadThatIsHandedOverIsTakenUpAtOnce() {
        TestReplica leader = cluster.leader();
        long before = cluster.now;
        handOver(leader);
        cluster.settle();
        assertThat(cluster.serving()).isNotNull().isNotSameAs(leader);
        assertThat(cluster.now).isEqualTo(before);
        assertThat(leader.notices).isEmpty();
    }

    @Test
    void whoDoesNotLeadHandsNothingOver() {
        TestReplica leader = cluster.leader();
        followers(leader).forEach(this::handOver);
        cluster.runFor(SECOND);
        assertThat(cluster.serving()).isSameAs(leader);
    }

    /** The log's writer tells of a full disk while the write is still pending, and it stays pending. */
    @Test
    void aLeaderWithAFullDiskCanHandOverAndIsNotElectedAgain() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        leader.log.held = true;
        client.request(putting("/v"));
        cluster.settle();
        handOver(leader);
        cluster.settle();
        TestReplica second = cluster.serving();
        assertThat(second).isNotNull().isNotSameAs(leader);
        cluster.runFor(5 * SECOND);
        assertThat(cluster.serving()).isSameAs(second);
        leader.log.held = false;
        cluster.runFor(SECOND);
        assertThat(leader.loop.status().cell(TestReplica.CELL).appliedIndex())
                .isEqualTo(second.loop.status().cell(TestReplica.CELL).appliedIndex());
    }

    @Test
    void aStalledDiskEndsTheLeadAndIsNamed() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        leader.log.held = true;
        client.request(putting("/v"));
        cluster.runFor(900 * MILLI);
        assertThat(leader.isServing()).isTrue();
        cluster.runFor(500 * MILLI);
        assertThat(leader.isServing()).isFalse();
        assertThat(cluster.serving()).isNotNull();
        assertThat(leader.notices)
                .singleElement()
                .asString()
                .contains("gives up the lead", "others had on disk what its own was still writing", "more than 1.0 s");
    }

    /** C72: nobody would lead better, and whoever leads keeps sessions alive, which needs no disk. */
    @Test
    void disksThatAllStallEndNoLead() {
        TestReplica leader = cluster.leader();
        TestSession client = TestSession.opened(cluster, leader, 1);
        leader.log.held = true;
        followers(leader).forEach(follower -> follower.log.held = true);
        client.request(putting("/v"));
        cluster.runFor(10 * SECOND);
        assertThat(leader.isServing()).isTrue();
        assertThat(leader.notices).singleElement().asString().contains("nothing has been committed", "kept alive");
    }

    @Test
    void aLostMajorityEndsTheLeadAndIsNamed() {
        TestReplica leader = cluster.leader();
        followers(leader).forEach(cluster::crash);
        cluster.runFor(1_500 * MILLI);
        assertThat(leader.loop.status().cell(TestReplica.CELL).role()).isNotEqualTo(Role.LEADER);
        assertThat(leader.notices)
                .singleElement()
                .asString()
                .contains("gives up the lead", "no majority of 3 replicas has answered for 1.0 s");
    }

    @Test
    void aMemberThatDoesNotAnswerIsNamedOnceAndOnceMoreWhenItIsBack() {
        TestReplica leader = cluster.leader();
        TestReplica down = followers(leader).get(0);
        cluster.runFor(2 * SECOND);
        cluster.crash(down);
        cluster.runFor(2 * SECOND);
        assertThat(leader.notices).isEmpty();
        cluster.runFor(10 * SECOND);
        assertThat(leader.notices)
                .singleElement()
                .asString()
                .contains(down.name() + " does not answer, 2 of 3 replicas are there");
        down.start();
        cluster.runFor(3 * SECOND);
        assertThat(leader.notices)
                .hasSize(2)
                .last()
                .asString()
                .contains(down.name() + " answers again, 3 of 3 replicas are there");
    }
}
