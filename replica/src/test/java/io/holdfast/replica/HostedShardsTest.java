package io.holdfast.replica;

import static io.holdfast.replica.TestCluster.MILLI;
import static io.holdfast.replica.TestCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Many cells in one loop: one log, frames that travel together, leads that are spread, and frames that find their cell. */
class HostedShardsTest {
    private static final int SHARDS = 6;
    private static final SnapshotPolicy POLICY = new SnapshotPolicy(100, 24L << 20, 20, 2, 10 * SECOND);

    private final TestCluster cluster = TestCluster.withShards(3, SHARDS, POLICY);

    private static CellId shard(int number) {
        return new CellId(Shards.cellName(number));
    }

    private boolean allServe() {
        for (int i = 0; i < SHARDS; i++) {
            if (leaderOf(shard(i)) == null) {
                return false;
            }
        }
        return cluster.serving() != null;
    }

    private TestReplica leaderOf(CellId cell) {
        for (TestReplica replica : cluster.replicas) {
            ReplicaStatus.CellView view = replica.isUp() ? replica.loop.status().cell(cell) : null;
            if (view != null && view.serving() && !cluster.isolated.contains(replica.name())) {
                return replica;
            }
        }
        return null;
    }

    private void send(TestReplica to, CellId cell, long id, ClientFrame frame) {
        UpstreamFrame forward = new UpstreamFrame.Forward(id, frame);
        to.loop.offer(new LoopInput.FromUpstream(7, new UpstreamFrame.ToCell(cell.value(), forward)));
        cluster.settle();
    }

    private ServerFrame answerOf(TestReplica replica, CellId cell) {
        List<ServerFrame> answers = new ArrayList<>();
        for (TestReplica.Sent sent : replica.sent) {
            DownstreamFrame.FromCell from = (DownstreamFrame.FromCell) sent.frame();
            assertThat(from.cell()).isEqualTo(cell.value());
            answers.add(((DownstreamFrame.Deliver) from.frame()).frame());
        }
        replica.sent.clear();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private void put(CellId cell, String path) {
        TestReplica leader = leaderOf(cell);
        send(leader, cell, 1, new ClientFrame.OneShot(1, TestSession.putting(path)));
        ServerFrame.Reply reply = (ServerFrame.Reply) answerOf(leader, cell);
        assertThat(reply.outcome()).isInstanceOf(Outcome.Written.class);
    }

    @Test
    void aFrameReachesTheCellThatItNamesAndNoOther() {
        cluster.runUntil(this::allServe);
        put(shard(2), "/a");
        cluster.runFor(SECOND);
        for (TestReplica replica : cluster.replicas) {
            for (int i = 0; i < SHARDS; i++) {
                boolean isThere = replica.loop.machine(shard(i)).query(new Query.Stat(new NodePath("/a")))
                        instanceof Answer.NodeStat;
                assertThat(isThere).isEqualTo(i == 2);
            }
            assertThat(replica.loop.machine(TestReplica.CELL).nodeCount()).isEqualTo(1);
        }
    }

    @Test
    void theStatusOfAShardIsAnsweredByItsLeader() {
        cluster.runUntil(this::allServe);
        cluster.runFor(2 * SECOND);
        TestReplica leader = leaderOf(shard(4));
        send(leader, shard(4), 1, new ClientFrame.Read(9, new Query.ShardStatus(4)));
        Answer.Status status = (Answer.Status) ((ServerFrame.ReadReply) answerOf(leader, shard(4))).answer();
        assertThat(status.cell()).isEqualTo("shard-04");
        assertThat(status.leader()).isEqualTo(leader.name());
        assertThat(status.shards()).isEqualTo(SHARDS);
        assertThat(status.replicas()).hasSize(3).allMatch(Answer.ReplicaInfo::reachable);
        assertThat(status.replicas().stream().map(Answer.ReplicaInfo::digest).distinct())
                .hasSize(1);
    }

    /** The link goes on for the other cells, so the call is refused by itself, as certainly not done. */
    @Test
    void whoDoesNotLeadAShardRefusesTheCallAndKeepsTheLink() {
        cluster.runUntil(this::allServe);
        TestReplica leader = leaderOf(shard(1));
        TestReplica other = cluster.replicas.stream()
                .filter(one -> one != leader)
                .findFirst()
                .orElseThrow();
        other.sent.clear();
        send(other, shard(1), 1, new ClientFrame.OneShot(5, TestSession.putting("/a")));
        ServerFrame.Refused refused = (ServerFrame.Refused) answerOf(other, shard(1));
        assertThat(refused.id()).isEqualTo(5);
        assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(refused.definite()).isTrue();
        send(other, new CellId("shard-99"), 1, new ClientFrame.OneShot(6, TestSession.putting("/a")));
        assertThat(((ServerFrame.Refused) answerOf(other, new CellId("shard-99"))).definite())
                .isTrue();
        assertThat(other.closedLinks).isEmpty();
    }

    /** N9's little sister: at rest the heartbeats of all cells that a replica leads are one frame for each peer. */
    @Test
    void heartbeatsOfAllCellsShareFrames() {
        cluster.runUntil(this::allServe);
        cluster.runFor(30 * SECOND);
        cluster.frames.clear();
        cluster.runFor(3 * SECOND);

        Map<String, Integer> framesWithBeats = new TreeMap<>();
        Map<CellId, Integer> beats = new TreeMap<>();
        for (PeerFrame frame : cluster.frames) {
            if (frame instanceof PeerFrame.Messages messages) {
                int before = beats.values().stream().mapToInt(Integer::intValue).sum();
                for (CellMessage message : messages.messages()) {
                    if (message.message() instanceof RaftMessage.AppendRequest) {
                        beats.merge(message.cell(), 1, Integer::sum);
                    }
                }
                if (beats.values().stream().mapToInt(Integer::intValue).sum() > before) {
                    framesWithBeats.merge(
                            messages.from().name() + ">" + messages.to().name(), 1, Integer::sum);
                }
            }
        }
        // two followers of each cell; ten beats a second of the first one, three and a third of a shard
        assertThat(beats.get(TestReplica.CELL)).isBetween(58, 62);
        for (int i = 0; i < SHARDS; i++) {
            assertThat(beats.get(shard(i))).isBetween(18, 22);
        }
        String first = cluster.leader().name();
        framesWithBeats.forEach(
                (way, count) -> assertThat(count).as(way).isLessThanOrEqualTo(way.startsWith(first + ">") ? 32 : 12));
    }

    @Test
    void leadsAreSpreadWithinAMinuteAndAgainAfterALossAndAReturn() {
        cluster.runUntil(this::allServe);
        cluster.runFor(60 * SECOND);
        assertSpread(3);
        TestReplica victim = cluster.replicas.get(2);
        cluster.crash(victim);
        cluster.runFor(60 * SECOND);
        assertSpread(2);
        victim.start();
        cluster.runFor(60 * SECOND);
        assertSpread(3);
    }

    private void assertSpread(int replicas) {
        Map<String, Integer> leads = new TreeMap<>();
        for (int i = 0; i < SHARDS; i++) {
            leads.merge(leaderOf(shard(i)).name(), 1, Integer::sum);
        }
        assertThat(leads.values()).as("%s", leads).allMatch(count -> count <= SHARDS / replicas + 1);
    }

    /** It is about to end, or its disk is full: all that it leads goes, and nothing comes back while it refuses. */
    @Test
    void whoRefusesLeadsGivesAllAwayAndGetsNone() {
        cluster.runUntil(this::allServe);
        cluster.runFor(30 * SECOND);
        TestReplica leaving = cluster.leader();
        leaving.loop.offer(new LoopInput.Internal(leaving.loop::refuseLeads));
        cluster.runFor(SECOND);
        for (int i = 0; i < 40; i++) {
            cluster.runFor(SECOND);
            assertThat(leaving.loop.status().cells()).noneMatch(ReplicaStatus.CellView::serving);
        }
        assertThat(allServe()).isTrue();
        leaving.loop.offer(new LoopInput.Internal(leaving.loop::acceptLeads));
        cluster.runFor(30 * SECOND);
        assertThat(leaving.loop.status().cells().stream().filter(ReplicaStatus.CellView::serving))
                .isNotEmpty();
    }

    /** R7.4: two counts at work give a name two homes. The first cell goes on, the shards of the odd one stay silent. */
    @Test
    void shardsOfReplicasThatCountOtherwiseDoNotSpeakToEachOther() {
        cluster.runUntil(this::allServe);
        ReplicaId self = cluster.replicas.get(0).id;
        TestReplica other = cluster.replicas.get(1);
        long term = other.loop.core(shard(0)).status().term();
        long firstTerm = other.loop.core(TestReplica.CELL).status().term();
        for (int shards : new int[] {SHARDS - 1, 0}) {
            List<CellMessage> messages = List.of(
                    new CellMessage(shard(0), new RaftMessage.AppendRequest(term + 50, 0, 0, List.of(), 0, 0)),
                    new CellMessage(
                            TestReplica.CELL, new RaftMessage.AppendRequest(firstTerm - 1, 0, 0, List.of(), 0, 0)));
            cluster.frames.clear();
            other.loop.offer(new LoopInput.FromPeer(new PeerFrame.Messages(self, other.id, messages, shards)));
            cluster.settle();
            assertThat(other.loop.core(shard(0)).status().term()).isEqualTo(term);
            assertThat(cluster.frames) // the first cell answered
                    .anyMatch(frame -> frame instanceof PeerFrame.Messages sent
                            && sent.from().equals(other.id)
                            && sent.messages().stream()
                                    .anyMatch(one -> one.cell().equals(TestReplica.CELL)));
        }
        assertThat(other.notices).anyMatch(notice -> notice.contains("counts 5 shards, this replica 6"));
    }

    /** They meet for the first time with different counts: nothing is formed before they agree. */
    @Test
    void replicasThatCountOtherwiseDoNotForm() {
        TestCluster odd = new TestCluster(3, POLICY);
        for (TestReplica replica : odd.replicas) {
            int shards = replica.name().equals("r3") ? 2 : 3;
            new Shards(shards).cellNames().forEach(name -> replica.shards.put(name, new MemorySnapshots()));
            replica.start();
        }
        odd.runFor(30 * SECOND);
        assertThat(odd.replicas).noneMatch(replica -> replica.loop.status().formed());
        assertThat(odd.get("r1").notices).anyMatch(notice -> notice.contains("r3 counts 2 shards, this replica 3"));
        TestReplica corrected = odd.make("r3", "a");
        new Shards(3).cellNames().forEach(name -> corrected.shards.put(name, new MemorySnapshots()));
        odd.crash(odd.get("r3"));
        odd.replace(corrected);
        corrected.start();
        odd.runUntil(() ->
                odd.replicas.stream().allMatch(replica -> replica.loop.status().formed()));
    }

    /** Issue 6: an idle cell with three entries must not keep the log of busy ones for ever (R8.3). */
    @Test
    void idleShardsLetGoOfOldSegments() {
        cluster.runUntil(this::allServe);
        for (int i = 0; i < 3; i++) {
            put(shard(0), "/v" + i);
        }
        for (TestReplica replica : cluster.replicas) {
            new Shards(SHARDS).cellNames().forEach(name -> replica.log.pinning.add(new CellId(name)));
        }
        cluster.runFor(4 * SECOND);
        for (TestReplica replica : cluster.replicas) {
            assertThat(replica.log.pinning).isEmpty();
            assertThat(replica.shards.values()).allMatch(files -> files.complete.size() == 1);
            cluster.crash(replica);
        }
        cluster.replicas.forEach(TestReplica::start);
        cluster.runUntil(this::allServe);
        for (TestReplica replica : cluster.replicas) {
            assertThat(replica.loop.machine(shard(0)).nodeCount()).isEqualTo(4);
        }
    }

    /** N6: who leads nothing any more is missed in every cell, and each has another leader in time. */
    @Test
    void everyCellHasANewLeaderWithinThreeSecondsOfALoss() {
        cluster.runUntil(this::allServe);
        cluster.runFor(30 * SECOND);
        TestReplica victim = cluster.leader();
        cluster.crash(victim);
        long lost = cluster.now;
        cluster.runUntil(this::allServe);
        assertThat(cluster.now - lost).isLessThan(3 * SECOND + 100 * MILLI);
    }
}
