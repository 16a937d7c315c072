package io.holdfast.replica;

import static io.holdfast.replica.TestSession.acquiring;
import static io.holdfast.replica.TestSession.putting;
import static io.holdfast.replica.TestSession.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R5.1–R5.4 at the leader, over a whole cell. */
class WatchesTest {
    private final TestCluster cluster = TestCluster.started(3);
    private final TestReplica leader = cluster.leader();
    private final TestSession watcher = TestSession.opened(cluster, leader, 1);
    private final TestSession writer = TestSession.opened(cluster, leader, 2);

    private ServerFrame.ReadReply watch(long watch, Query query) {
        watcher.send(new ClientFrame.Read(100 + watch, query, watch));
        return watcher.one(ServerFrame.ReadReply.class);
    }

    private static Query children(String path) {
        return new Query.ListChildren(new NodePath(path), "", 10);
    }

    private long watches() {
        return leader.loop.status().cell(TestReplica.CELL).sizes().watches();
    }

    private void expectFired(long... watches) {
        ServerFrame.WatchesFired fired = watcher.one(ServerFrame.WatchesFired.class);
        assertThat(fired.session()).isEqualTo(watcher.session);
        assertThat(fired.watches())
                .containsExactly(java.util.Arrays.stream(watches).boxed().toArray(Long[]::new));
    }

    @Test
    void oneEventForEachWatchAndNoMore() {
        writer.call(putting("/a"));
        ServerFrame.ReadReply reply = watch(1, reading("/a"));
        watch(2, reading("/a"));
        watch(3, reading("/b"));
        assertThat(reply.revision()).isEqualTo(((Answer.Value) reply.answer()).modifyRevision());
        writer.call(putting("/a"));
        assertThat(leader.meter.readsAnswered).isEqualTo(3);
        expectFired(1, 2);
        assertThat(leader.meter.watchesFired).isEqualTo(2);
        writer.call(putting("/a"));
        assertThat(watcher.received()).isEmpty();
        assertThat(leader.meter.watchesFired).isEqualTo(2);
        assertThat(watches()).isEqualTo(1);
    }

    /** R5.2: also if the change and the reply are its own. */
    @Test
    void theEventComesBeforeTheReplyThatShowsIt() {
        watch(1, reading("/a"));
        watcher.request(putting("/a"));
        watcher.send(new ClientFrame.Read(7, reading("/a")));
        List<ServerFrame> frames = watcher.received();
        assertThat(frames).hasSize(3);
        assertThat(frames.get(0)).isInstanceOf(ServerFrame.WatchesFired.class);
    }

    /** R5.4, C56: the watch is still armed for the next true change. */
    @Test
    void whatFailsFiresNothing() {
        writer.call(putting("/a"));
        watch(1, reading("/a"));
        Operation failing = new Operation.Put(new NodePath("/a"), new byte[] {2}, 77);
        assertThat(writer.call(failing)).isInstanceOf(Outcome.Failed.class);
        Operation batch = new Operation.Batch(
                List.of((Operation.Put) putting("/a"), new Operation.Check(new NodePath("/none"), 5)));
        assertThat(writer.call(batch)).isInstanceOf(Outcome.BatchRefused.class);
        assertThat(watcher.received()).isEmpty();
        writer.call(putting("/a"));
        expectFired(1);
    }

    @Test
    void aBatchIsOneEventForAllThatItChanged() {
        watch(1, reading("/a"));
        watch(2, reading("/b"));
        writer.call(new Operation.Batch(List.of((Operation.Put) putting("/a"), (Operation.Put) putting("/b"))));
        expectFired(1, 2);
    }

    /** F4: elections and groups are observed through the children of their container. */
    @Test
    void placesAndEphemeralNodesAreChildrenOfTheirContainer() {
        assertThat(watch(1, children("/lock")).answer()).isInstanceOf(Answer.Failed.class);
        Outcome.Placed placed = writer.acquire("/lock");
        expectFired(1);
        watch(2, children("/lock"));
        writer.call(new Operation.Release(placed.place(), placed.token()));
        expectFired(2);
        watch(3, children("/group"));
        writer.call(new Operation.CreateEphemeral(new NodePath("/group/m"), new byte[0], true));
        expectFired(3);
        watch(4, children("/group"));
        writer.request(new Operation.CloseSession());
        writer.received();
        expectFired(4);
    }

    @Test
    void anExistenceWatchFiresWhenTheNodeComesAndGoesNotWhenItChanges() {
        watch(1, new Query.Stat(new NodePath("/a")));
        writer.call(putting("/a"));
        expectFired(1);
        watch(2, new Query.Stat(new NodePath("/a")));
        writer.call(putting("/a"));
        assertThat(watcher.received()).isEmpty();
        writer.call(new Operation.Delete(new NodePath("/a"), Operation.ANY_VERSION));
        expectFired(2);
    }

    @Test
    void aWatchNeedsASession() {
        TestSession stranger = new TestSession(cluster, leader, 1, 9);
        stranger.send(new ClientFrame.Read(5, reading("/a"), 1));
        assertThat(stranger.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.FORBIDDEN);
        stranger.send(new ClientFrame.Watch(6, List.of(), List.of(1L)));
        assertThat(stranger.one(ServerFrame.Refused.class).id()).isEqualTo(6);
        assertThat(watches()).isZero();
    }

    // ---- the stream goes (R5.3)

    private TestSession reattached(TestSession old, long stream, long attachment) {
        TestSession again = new TestSession(cluster, leader, 1, stream);
        again.session = old.session;
        again.send(new ClientFrame.Attach(old.session, old.secret, attachment));
        again.one(ServerFrame.Attached.class);
        return again;
    }

    @Test
    void withItsStreamGoItsWatches() {
        watch(1, reading("/a"));
        assertThat(watches()).isEqualTo(1);
        TestSession again = reattached(watcher, 11, 5);
        assertThat(watches()).isZero();
        assertThat(watcher.received()).hasSize(1); // that it was replaced
        writer.call(putting("/a"));
        assertThat(watcher.received()).isEmpty();
        assertThat(again.received()).isEmpty();
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(11)));
    }

    @Test
    void closingTheStreamOrTheSessionLeavesNoWatch() {
        watch(1, reading("/a"));
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(1)));
        cluster.settle();
        assertThat(watches()).isZero();
        TestSession again = reattached(watcher, 11, 5);
        again.send(new ClientFrame.Read(1, reading("/a"), 1));
        again.one(ServerFrame.ReadReply.class);
        assertThat(watches()).isEqualTo(1);
        again.request(new Operation.CloseSession());
        again.received();
        assertThat(watches()).isZero();
    }

    private static ClientFrame.WatchClaim claim(long watch, String path, long seen) {
        return new ClientFrame.WatchClaim(watch, WatchKind.VALUE, new NodePath(path), seen);
    }

    @Test
    void whatIsNewerFiresAtOnceAndTheRestStands() {
        writer.call(putting("/a"));
        writer.call(putting("/b"));
        long seen = watch(1, reading("/a")).revision();
        writer.call(putting("/b"));
        watcher.received();
        TestSession again = reattached(watcher, 11, 5);
        again.send(new ClientFrame.Watch(50, List.of(claim(1, "/a", seen), claim(2, "/b", seen)), List.of()));
        List<ServerFrame> frames = again.received();
        assertThat(frames).hasSize(2);
        assertThat(frames.get(0))
                .isInstanceOfSatisfying(
                        ServerFrame.WatchesFired.class,
                        fired -> assertThat(fired.watches()).containsExactly(2L));
        assertThat(frames.get(1)).isInstanceOf(ServerFrame.Watched.class);
        assertThat(watches()).isEqualTo(1);
        writer.call(putting("/a"));
        assertThat(again.one(ServerFrame.WatchesFired.class).watches()).containsExactly(1L);
    }

    @Test
    void whatIsDroppedIsGoneAndCannotOvertakeItsRead() {
        watcher.send(new ClientFrame.Read(101, reading("/a"), 1));
        watcher.send(new ClientFrame.Watch(102, List.of(), List.of(1L)));
        List<ServerFrame> frames = watcher.received();
        assertThat(frames.get(0)).isInstanceOf(ServerFrame.ReadReply.class);
        assertThat(frames.get(1)).isInstanceOf(ServerFrame.Watched.class);
        assertThat(watches()).isZero();
        writer.call(putting("/a"));
        assertThat(watcher.received()).isEmpty();
    }

    /** R2.4: a new leader has no watches; C50: whatever it was before. */
    @Test
    void aNewLeaderKnowsOnlyWhatIsClaimed() {
        long seen = watch(1, reading("/a")).revision();
        cluster.crash(leader);
        TestReplica[] next = new TestReplica[1];
        cluster.runUntil(() -> {
            cluster.replicas.stream()
                    .filter(one -> one.isUp() && one.isServing())
                    .forEach(one -> next[0] = one);
            return next[0] != null;
        });
        assertThat(next[0].loop.status().cell(TestReplica.CELL).sizes().watches())
                .isZero();
        TestSession again = new TestSession(cluster, next[0], 1, 11);
        again.session = watcher.session;
        again.send(new ClientFrame.Attach(watcher.session, watcher.secret, 5));
        again.one(ServerFrame.Attached.class);
        again.send(new ClientFrame.Watch(50, List.of(claim(1, "/a", seen)), List.of()));
        again.one(ServerFrame.Watched.class);
        TestSession other = TestSession.opened(cluster, next[0], 12);
        other.call(putting("/a"));
        assertThat(again.one(ServerFrame.WatchesFired.class).watches()).containsExactly(1L);
    }

    /** R2.6: a claim is judged after a leadership check that began when it was here, as a read is. */
    @Test
    void aLeaderThatIsCutOffAnswersNoClaim() {
        cluster.lost = frame -> true;
        watcher.send(new ClientFrame.Watch(50, List.of(claim(1, "/a", 1)), List.of()));
        watcher.send(new ClientFrame.Read(51, reading("/a"), 2));
        cluster.runFor(5_000 * TestCluster.MILLI);
        assertThat(watcher.received())
                .allMatch(ServerFrame.Refused.class::isInstance)
                .hasSize(2);
    }

    /** R8.4. */
    @Test
    void oneStreamHasOnePageWaiting() {
        watcher.send(new ClientFrame.Watch(50, List.of(claim(1, "/a", 1)), List.of()));
        watcher.send(new ClientFrame.Watch(51, List.of(claim(2, "/a", 1)), List.of()));
        List<ServerFrame> frames = watcher.received();
        assertThat(frames).hasSize(2);
        assertThat(frames.get(0))
                .isInstanceOfSatisfying(
                        ServerFrame.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.BUSY));
        assertThat(frames.get(1))
                .isEqualTo(new ServerFrame.Watched(50, ((ServerFrame.Watched) frames.get(1)).revision()));
        assertThat(watches()).isEqualTo(1);
        watcher.send(new ClientFrame.Watch(52, List.of(), List.of(1L)));
        watcher.one(ServerFrame.Watched.class);
    }

    @Test
    void thousandsOfWatchesFireInFewFrames() {
        List<ClientFrame.WatchClaim> claims = new ArrayList<>();
        long seen = watch(1, reading("/a")).revision();
        for (int page = 0; page < 12; page++) {
            claims.clear();
            for (int i = 0; i < Limits.MAX_PAGE_ENTRIES; i++) {
                claims.add(claim(2 + page * Limits.MAX_PAGE_ENTRIES + i, "/a", seen));
            }
            watcher.send(new ClientFrame.Watch(50 + page, claims, List.of()));
            watcher.one(ServerFrame.Watched.class);
        }
        writer.call(putting("/a"));
        List<ServerFrame> frames = watcher.received();
        assertThat(frames).hasSize(2).allMatch(ServerFrame.WatchesFired.class::isInstance);
        assertThat(watches()).isZero();
    }

    @Test
    void acquiringFiresOneEventForAllItsChanges() {
        watch(1, children("/l"));
        watch(2, new Query.Stat(new NodePath("/l")));
        writer.call(acquiring("/l"));
        ServerFrame.WatchesFired fired = watcher.one(ServerFrame.WatchesFired.class);
        assertThat(fired.watches()).containsExactlyInAnyOrder(1L, 2L);
    }
}
