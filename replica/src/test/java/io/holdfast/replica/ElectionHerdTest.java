package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * 2,000 candidates of one election from the sessions of 20 processes, counted at the leader (N9, C98): every frame that it sends to
 * any of them.
 */
class ElectionHerdTest {
    private static final int PROCESSES = 20;
    private static final int CANDIDATES = 2_000;
    private static final NodePath ELECTION = new NodePath("/services/indexer");

    private final TestCluster cluster = TestCluster.started(3);
    private final List<TestSession> processes = new ArrayList<>();
    private final List<Candidate> queue = new ArrayList<>();
    private TestReplica leader;

    private record Candidate(TestSession process, Outcome.Placed place) {
        long release() {
            return process.request(new Operation.Release(place.place(), place.token()));
        }
    }

    @BeforeEach
    void everybodyCampaigns() {
        leader = cluster.leader();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(TestSession.opened(cluster, leader, i));
        }
        for (int round = 0; round < CANDIDATES / PROCESSES; round++) {
            for (TestSession process : processes) {
                byte[] address = ("10.0.0." + process.stream + ":" + round).getBytes(StandardCharsets.UTF_8);
                process.request(new Operation.Acquire(ELECTION, LockMode.EXCLUSIVE, false, 0, address));
            }
            cluster.settle();
        }
        for (TestSession process : processes) {
            for (ServerFrame frame : process.received()) {
                queue.add(new Candidate(process, (Outcome.Placed) ((ServerFrame.Reply) frame).outcome()));
            }
        }
        queue.sort(Comparator.comparing(candidate -> candidate.place().token()));
    }

    /** What the leader sends to clients because of this; nothing else happens meanwhile. */
    private List<ServerFrame> sentBecauseOf(Runnable cause) {
        int before = leader.sent.size();
        cause.run();
        cluster.settle();
        return leader.sent.subList(before, leader.sent.size()).stream()
                .map(TestReplica.Sent::frame)
                .filter(DownstreamFrame.Deliver.class::isInstance)
                .map(frame -> ((DownstreamFrame.Deliver) frame).frame())
                .toList();
    }

    @Test
    void allAreQueuedAndEachHandOverWakesExactlyOneUntilAllHaveLed() {
        assertThat(queue).hasSize(CANDIDATES);
        assertThat(queue.stream().filter(candidate -> candidate.place().held())).containsExactly(queue.get(0));
        long lastToken = queue.get(0).place().token().value();
        int batches = leader.meter.committedBatches;
        for (int i = 0; i < CANDIDATES - 1; i++) {
            Candidate next = queue.get(i + 1);
            List<ServerFrame> sent = sentBecauseOf(queue.get(i)::release);
            ServerFrame.Granted wake = new ServerFrame.Granted(
                    next.process().session, next.place().place(), next.place().token());
            assertThat(sent)
                    .as("hand-over %d", i)
                    .hasSize(2)
                    .contains(wake)
                    .hasAtLeastOneElementOfType(ServerFrame.Reply.class);
            assertThat(wake.token().value()).isGreaterThan(lastToken);
            lastToken = wake.token().value();
        }
        assertThat(leader.meter.committedBatches - batches).isEqualTo(CANDIDATES - 1);
        assertThat(sentBecauseOf(queue.get(CANDIDATES - 1)::release))
                .singleElement()
                .isInstanceOf(ServerFrame.Reply.class);
    }

    @Test
    void whoWithdrawsFromTheMiddleWakesNobody() {
        for (Candidate candidate : queue.subList(700, 1_200)) {
            assertThat(sentBecauseOf(candidate::release)).singleElement().isInstanceOf(ServerFrame.Reply.class);
        }
        Candidate next = queue.get(1);
        assertThat(sentBecauseOf(queue.get(0)::release))
                .hasSize(2)
                .contains(new ServerFrame.Granted(
                        next.process().session,
                        next.place().place(),
                        next.place().token()));
    }

    /** The process of the leader dies with its 100 candidates: one of another process is woken, and only that one. */
    @Test
    void theDeathOfTheLeadingProcessWakesOne() {
        TestSession dead = queue.get(0).process();
        Candidate next = queue.stream()
                .filter(candidate -> candidate.process() != dead)
                .findFirst()
                .orElseThrow();
        List<ServerFrame> sent = sentBecauseOf(() -> dead.request(new Operation.CloseSession()));
        assertThat(sent.stream().filter(ServerFrame.Granted.class::isInstance))
                .containsExactly(new ServerFrame.Granted(
                        next.process().session,
                        next.place().place(),
                        next.place().token()));
    }
}
