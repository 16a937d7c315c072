package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.MILLI;
import static io.holdfast.replica.TestCluster.SECOND;
import static io.holdfast.replica.TestSession.putting;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The disks of all followers are full, and they go on answering (C70): no half grants, and nothing done late. */
final class CommitWatchTest {
    private final TestCluster cluster = TestCluster.started(3);
    private final TestReplica leader = cluster.leader();
    private final TestSession client = TestSession.opened(cluster, leader, 1);

    private void fillFollowers(boolean full) {
        cluster.replicas.stream().filter(one -> one != leader).forEach(one -> one.log.held = full);
    }

    private ServerFrame.Refused refused() {
        return client.one(ServerFrame.Refused.class);
    }

    private void stall() {
        fillFollowers(true);
        client.request(putting("/out"));
        cluster.runFor(2_000 * MILLI);
        assertThat(leader.notices).isEmpty();
        assertThat(client.received()).isEmpty();
        cluster.runFor(200 * MILLI);
    }

    @Test
    void itIsSaidOnceAndWhatWasNotProposedIsDefinitelyNotDone() {
        stall();
        assertThat(leader.isServing()).isTrue();
        assertThat(leader.notices)
                .singleElement()
                .asString()
                .contains("cell main: nothing has been committed for 2.1 s", "disks of a majority");
        assertThat(client.received()).isEmpty(); // what is out may be committed yet
        long id = client.request(putting("/late"));
        ServerFrame.Refused refusal = refused();
        assertThat(refusal.id()).isEqualTo(id);
        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refusal.definite()).isTrue();
        cluster.runFor(30 * SECOND);
        assertThat(leader.notices).hasSize(1);
        assertThat(leader.isServing()).isTrue();
    }

    @Test
    void whatWaitsBehindTooManyProposalsIsRefusedWithIt() {
        fillFollowers(true);
        List<Long> late = new ArrayList<>();
        for (int i = 0; i < ProposalQueue.MAX_IN_FLIGHT + 3; i++) {
            long id = client.request(putting("/v" + i));
            cluster.settle(); // each is an entry of its own
            if (i >= ProposalQueue.MAX_IN_FLIGHT) {
                late.add(id);
            }
        }
        cluster.runFor(2_200 * MILLI);
        assertThat(client.received())
                .extracting(frame -> ((ServerFrame.Refused) frame).id())
                .containsExactlyElementsOf(late);
        fillFollowers(false);
        cluster.runFor(SECOND);
        assertThat(client.received())
                .hasSize(ProposalQueue.MAX_IN_FLIGHT)
                .allMatch(frame ->
                        frame instanceof ServerFrame.Reply reply && reply.outcome() instanceof Outcome.Written);
    }

    @Test
    void sessionsLiveOnAndAreOpenedAgainAfterwards() {
        stall();
        for (int i = 0; i < 20; i++) {
            client.send(new ClientFrame.KeepAlive(10 + i));
            assertThat(client.one(ServerFrame.KeepAliveAck.class).renewed()).isTrue();
            cluster.runFor(SECOND);
        }
        TestSession other = new TestSession(cluster, leader, 1, 2);
        other.send(new ClientFrame.Open(1, other.secret, 12_000, "test", false));
        assertThat(other.one(ServerFrame.Refused.class).definite()).isTrue();
        fillFollowers(false);
        cluster.runFor(SECOND);
        assertThat(client.one(ServerFrame.Reply.class).outcome()).isInstanceOf(Outcome.Written.class);
        assertThat(leader.notices).hasSize(2).last().asString().contains("changes are committed again and accepted");
        other.open(12_000);
        assertThat(client.call(putting("/late"))).isInstanceOf(Outcome.Written.class);
    }

    /** A leader that was just elected is told apart from one that has taken over: its frames wait for the no-op. */
    @Test
    void commandsThatWaitForATakeoverThatDoesNotComeAreRefusedAndTheRestWaits() {
        cluster.crash(leader);
        cluster.lost = frame -> frame instanceof PeerFrame.Messages messages
                && messages.messages().stream()
                        .anyMatch(one -> one.message() instanceof io.holdfast.raft.RaftMessage.AppendRequest append
                                && !append.entries().isEmpty());
        TestReplica next = cluster.elected();
        TestSession again = new TestSession(cluster, next, 1, 1);
        again.session = client.session;
        again.send(new ClientFrame.Attach(client.session, client.secret, 2));
        again.nextId = 7;
        again.request(putting("/early"));
        cluster.runFor(2_500 * MILLI);
        assertThat(again.one(ServerFrame.Refused.class).id()).isEqualTo(7);
        again.request(putting("/late"));
        assertThat(again.one(ServerFrame.Refused.class).id()).isEqualTo(8);
        cluster.lost = frame -> false;
        cluster.runFor(2 * SECOND);
        again.one(ServerFrame.Attached.class);
        assertThat(again.call(putting("/late"))).isInstanceOf(Outcome.Written.class);
    }

    /** R1.3: the leader itself was stopped; that is no stall. */
    @Test
    void aPauseOfTheLeaderDoesNotCount() {
        fillFollowers(true);
        client.request(putting("/out"));
        cluster.settle();
        cluster.networkHeld = true;
        cluster.now += 900 * MILLI;
        cluster.settle();
        cluster.networkHeld = false;
        cluster.runFor(1_500 * MILLI);
        assertThat(leader.notices).isEmpty();
    }
}
