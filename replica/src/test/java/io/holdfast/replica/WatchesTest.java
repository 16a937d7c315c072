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
import io.holdfast.protocol.frame.DownstreamFrame;
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

    private <F extends DownstreamFrame> List<F> take(Class<F> type) {
        cluster.settle();
        List<F> found = new ArrayList<>();
        leader.sent.removeIf(
                sent -> sent.link() == 1 && type.isInstance(sent.frame()) && found.add(type.cast(sent.frame())));
        return found;
    }

    private void offer(UpstreamFrame frame) {
        leader.loop.offer(new LoopInput.FromUpstream(1, frame));
    }

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

    private void expectFired(Long... watches) {
        List<DownstreamFrame.WatchesFired> fired = take(DownstreamFrame.WatchesFired.class);
        assertThat(fired).hasSize(1);
        assertThat(fired.get(0).watches()).containsExactly(watches);
    }

    private void expectNone() {
        assertThat(take(DownstreamFrame.WatchesFired.class)).isEmpty();
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
        expectFired(1L, 2L);
        assertThat(leader.meter.watchesFired).isEqualTo(2);
        writer.call(putting("/a"));
        expectNone();
        assertThat(leader.meter.watchesFired).isEqualTo(2);
        assertThat(watches()).isEqualTo(1);
    }

    /** R5.2: also if the change and the reply are its own. */
    @Test
    void theEventComesBeforeTheReplyThatShowsIt() {
        watch(1, reading("/a"));
        leader.sent.clear();
        watcher.request(putting("/a"));
        watcher.send(new ClientFrame.Read(7, reading("/a")));
        cluster.settle();
        assertThat(leader.sent).hasSize(3);
        assertThat(leader.sent.get(0).frame()).isInstanceOf(DownstreamFrame.WatchesFired.class);
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
        expectNone();
        writer.call(putting("/a"));
        expectFired(1L);
    }

    @Test
    void aBatchIsOneEventForAllThatItChanged() {
        watch(1, reading("/a"));
        watch(2, reading("/b"));
        writer.call(new Operation.Batch(List.of((Operation.Put) putting("/a"), (Operation.Put) putting("/b"))));
        expectFired(1L, 2L);
    }

    /** F4: elections and groups are observed through the children of their container. */
    @Test
    void placesAndEphemeralNodesAreChildrenOfTheirContainer() {
        assertThat(watch(1, children("/lock")).answer()).isInstanceOf(Answer.Failed.class);
        Outcome.Placed placed = writer.acquire("/lock");
        expectFired(1L);
        watch(2, children("/lock"));
        writer.call(new Operation.Release(placed.place(), placed.token()));
        expectFired(2L);
        watch(3, children("/group"));
        writer.call(new Operation.CreateEphemeral(new NodePath("/group/m"), new byte[0], true));
        expectFired(3L);
        watch(4, children("/group"));
        writer.request(new Operation.CloseSession());
        writer.received();
        expectFired(4L);
    }

    @Test
    void anExistenceWatchFiresWhenTheNodeComesAndGoesNotWhenItChanges() {
        watch(1, new Query.Stat(new NodePath("/a")));
        writer.call(putting("/a"));
        expectFired(1L);
        watch(2, new Query.Stat(new NodePath("/a")));
        writer.call(putting("/a"));
        expectNone();
        writer.call(new Operation.Delete(new NodePath("/a"), Operation.ANY_VERSION));
        expectFired(2L);
    }

    @Test
    void aWatchNeedsASession() {
        TestSession stranger = new TestSession(cluster, leader, 1, 9);
        stranger.send(new ClientFrame.Read(5, reading("/a"), 1));
        assertThat(stranger.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(watches()).isZero();
    }

    /** ADR 0020: clients of one front end share a watch; whoever reads again arms it again. */
    @Test
    void theWatchIsTheLinksWhoeverReads() {
        watch(1, reading("/a"));
        writer.send(new ClientFrame.Read(7, reading("/a"), 1));
        writer.one(ServerFrame.ReadReply.class);
        assertThat(watches()).isEqualTo(1);
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(1)));
        cluster.settle();
        assertThat(watches()).isEqualTo(1); // the front end withdraws it, if nobody else needs it
        offer(new UpstreamFrame.DropWatches(List.of(1L, 99L)));
        cluster.settle();
        assertThat(watches()).isZero();
        writer.call(putting("/a"));
        expectNone();
    }

    /** Else nobody would ever withdraw it. */
    @Test
    void aReadOfAClosedStreamRegistersNothing() {
        watcher.send(new ClientFrame.Read(7, reading("/a"), 1));
        offer(new UpstreamFrame.StreamClosed(1));
        cluster.settle();
        assertThat(watches()).isZero();
    }

    @Test
    void withItsLinkGoItsWatches() {
        watch(1, reading("/a"));
        TestSession other = new TestSession(cluster, leader, 2, 1);
        other.open(12_000);
        other.send(new ClientFrame.Read(1, reading("/a"), 1));
        other.received();
        assertThat(watches()).isEqualTo(2);
        offer(claims(3, "/b"));
        leader.loop.offer(new LoopInput.UpstreamClosed(1));
        cluster.settle();
        assertThat(watches()).isEqualTo(1);
    }

    // ---- claims (R5.3)

    private static UpstreamFrame.ClaimWatches claims(long firstWatch, String... paths) {
        List<UpstreamFrame.WatchedPath> all = new ArrayList<>();
        for (String path : paths) {
            all.add(new UpstreamFrame.WatchedPath(firstWatch + all.size(), WatchKind.VALUE, new NodePath(path)));
        }
        return new UpstreamFrame.ClaimWatches(1, all);
    }

    @Test
    void whatIsClaimedIsRegisteredAndSaidHowNewItIs() {
        writer.call(putting("/a"));
        long seen = watch(1, reading("/b")).revision();
        writer.call(putting("/b"));
        expectFired(1L);
        offer(claims(5, "/a", "/b"));
        DownstreamFrame.WatchesClaimed answer =
                take(DownstreamFrame.WatchesClaimed.class).get(0);
        assertThat(answer.page()).isEqualTo(1);
        assertThat(answer.newest().get(0)).isLessThanOrEqualTo(seen);
        assertThat(answer.newest().get(1)).isGreaterThan(seen).isLessThanOrEqualTo(answer.revision());
        assertThat(watches()).isEqualTo(2);
        writer.call(putting("/a"));
        expectFired(5L);
    }

    /** R2.6: a claim is judged after a leadership check that began when it was here, as a read is. */
    @Test
    void aLeaderThatIsCutOffAnswersNoClaim() {
        cluster.lost = frame -> true;
        offer(claims(1, "/a"));
        watcher.send(new ClientFrame.Read(51, reading("/a"), 2));
        cluster.runFor(5_000 * TestCluster.MILLI);
        assertThat(watcher.received()).allMatch(ServerFrame.Refused.class::isInstance);
        assertThat(take(DownstreamFrame.WatchesClaimed.class)).isEmpty();
        assertThat(take(DownstreamFrame.WatchClaimsRefused.class))
                .singleElement()
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }

    /** R8.4: a front end has one page on its way; one that sends more does not fill the queue of all. */
    @Test
    void aSecondPageIsRefusedWhileOneWaits() {
        cluster.lost = frame -> true;
        offer(claims(1, "/a"));
        offer(new UpstreamFrame.ClaimWatches(2, claims(2, "/b").paths()));
        assertThat(take(DownstreamFrame.WatchClaimsRefused.class))
                .singleElement()
                .satisfies(refused -> {
                    assertThat(refused.page()).isEqualTo(2);
                    assertThat(refused.code()).isEqualTo(ErrorCode.BUSY);
                });
        cluster.lost = frame -> false;
        cluster.runFor(500 * TestCluster.MILLI);
        assertThat(take(DownstreamFrame.WatchesClaimed.class)).hasSize(1);
        offer(new UpstreamFrame.ClaimWatches(3, claims(3, "/c").paths()));
        assertThat(take(DownstreamFrame.WatchesClaimed.class)).hasSize(1);
    }

    @Test
    void aClientsOwnClaimIsTheFrontEndsBusiness() {
        watcher.send(new ClientFrame.Watch(6, List.of(), List.of(1L)));
        assertThat(watcher.one(ServerFrame.Refused.class).code()).isEqualTo(ErrorCode.INVALID);
    }

    @Test
    void thousandsOfWatchesFireInFewFrames() {
        for (int page = 0; page < 12; page++) {
            List<UpstreamFrame.WatchedPath> paths = new ArrayList<>();
            for (int i = 0; i < Limits.MAX_PAGE_ENTRIES; i++) {
                paths.add(new UpstreamFrame.WatchedPath(
                        1 + page * Limits.MAX_PAGE_ENTRIES + i, WatchKind.VALUE, new NodePath("/a")));
            }
            offer(new UpstreamFrame.ClaimWatches(page + 1, paths));
            cluster.settle();
        }
        writer.call(putting("/a"));
        assertThat(take(DownstreamFrame.WatchesFired.class)).hasSize(2);
        assertThat(watches()).isZero();
    }

    @Test
    void acquiringFiresOneEventForAllItsChanges() {
        watch(1, children("/l"));
        watch(2, new Query.Stat(new NodePath("/l")));
        writer.call(acquiring("/l"));
        assertThat(take(DownstreamFrame.WatchesFired.class))
                .singleElement()
                .satisfies(fired -> assertThat(fired.watches()).containsExactlyInAnyOrder(1L, 2L));
    }
}
