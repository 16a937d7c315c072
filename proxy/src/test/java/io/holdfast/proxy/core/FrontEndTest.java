package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Ending;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Histories: what happens to a front end, and what it then wants done. */
final class FrontEndTest {
    private static final long MILLI = 1_000_000L;

    private final Recorder out = new Recorder();
    private final FrontEnd frontEnd = new FrontEnd(config(), out);

    @Test
    void everyStreamFirstHearsHello() {
        frontEnd.clientOpened(1, 0);

        assertThat(out.take()).containsExactly("1<Hello[cell=main, deployment=d1, replica=r1]");
    }

    @Test
    void framesAreForwardedInOrderAndAnswersComeBack() {
        lead("r2", 5, 1);
        open(1, 2);
        out.take();
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(2, read(7), 0);
        frontEnd.clientFrame(1, request(1), 0);
        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);

        assertThat(out.take()).containsExactly("link1>1:Attach", "link1>2:Read7", "link1>1:Request1", "1<Reply1");
    }

    /** The order of a stream holds across the wait for a leader. */
    @Test
    void framesWaitForALeaderAndThenGoInOrder() {
        open(1, 2);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(2, read(7), 10);
        frontEnd.clientFrame(1, request(1), 20);
        assertThat(out.take()).isEmpty();

        frontEnd.leaderKnown("r2", 5, 30);
        frontEnd.clientFrame(1, request(2), 40);
        assertThat(out.take()).containsExactly("dial link1 r2");
        frontEnd.upstreamOpened(1);
        frontEnd.clientFrame(1, request(3), 50);

        assertThat(out.take())
                .containsExactly(
                        "link1>1:Attach", "link1>2:Read7", "link1>1:Request1", "link1>1:Request2", "link1>1:Request3");
        assertThat(frontEnd.framesWaiting()).isZero();
    }

    /** C38: "cannot say" within a bounded time; KeepAlives that waited that long are dropped (R3.5). */
    @Test
    void withoutALeaderWaitingFramesAreRefusedInTime() {
        open(1);
        frontEnd.clientFrame(1, read(7), 0);
        frontEnd.clientFrame(1, new ClientFrame.KeepAlive(3), 0);
        frontEnd.clientFrame(1, request(1), MILLI);
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(2_000 * MILLI);

        frontEnd.tick(2_000 * MILLI - 1);
        assertThat(out.take()).isEmpty();
        frontEnd.tick(2_000 * MILLI);

        assertThat(out.take()).containsExactly("1<Refused7 UNAVAILABLE definite");
        frontEnd.tick(2_001 * MILLI);
        assertThat(out.take()).containsExactly("1<Refused1 UNAVAILABLE definite");
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatWaitsBehindARefusedAttachIsRefusedWithIt() {
        open(1, 2);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, request(1), 500 * MILLI);
        frontEnd.clientFrame(2, read(9), 500 * MILLI);

        frontEnd.tick(2_000 * MILLI);

        assertThat(out.take()).containsExactly("1<Refused0 UNAVAILABLE definite", "1<Refused1 UNAVAILABLE definite");
        assertThat(frontEnd.framesWaiting()).isEqualTo(1);
    }

    @Test
    void tooMuchThatWaitsIsRefusedAtOnce() {
        open(1, 2);
        for (int i = 1; i <= 4; i++) {
            frontEnd.clientFrame(1, read(i), 0);
        }
        assertThat(out.take()).containsExactly("1<Refused4 BUSY definite");

        frontEnd.clientFrame(2, put(5, 9_000), 0);
        frontEnd.clientFrame(2, put(6, 9_000), 0);
        assertThat(out.take()).containsExactly("2<Refused6 BUSY definite");

        frontEnd.clientClosed(2);
        frontEnd.clientOpened(3, 0);
        out.take();
        frontEnd.clientFrame(3, put(1, 9_000), 0);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void aStreamMayHaveSoManyRequestsUnanswered() {
        lead("r2", 5, 1);
        open(1);
        for (int i = 1; i <= 4; i++) {
            frontEnd.clientFrame(1, request(i), 0);
        }
        assertThat(out.take()).endsWith("link1>1:Request3", "1<Refused4 BUSY definite");

        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);
        frontEnd.clientFrame(1, request(5), 0);
        assertThat(out.take()).containsExactly("1<Reply1", "link1>1:Request5");
    }

    /** R2.7: what was in flight has an unknown fate; only who had something forwarded is told, nothing is repeated. */
    @Test
    void aLeaderChangeInterruptsExactlyThoseWithSomethingForwarded() {
        lead("r2", 5, 1);
        open(1, 2, 3);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, request(1), 0);
        frontEnd.clientFrame(3, read(4), 0);
        out.take();

        frontEnd.leaderKnown("r3", 6, 0);
        assertThat(out.take())
                .containsExactly(
                        "hang up link1", "1<Interrupted hint=null", "3<Interrupted hint=null", "dial link2 r3");
        frontEnd.upstreamOpened(2);
        assertThat(out.take()).isEmpty();

        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, request(1), 0);
        assertThat(out.take()).containsExactly("link2>1:Attach", "link2>1:Request1");
    }

    /** Sent before the client heard of the interruption, which covers it: else its refusal would look definite. */
    @Test
    void requestsBetweenAnInterruptionAndTheNextAttachAreDropped() {
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        lead("r3", 6, 2);
        out.take();

        frontEnd.clientFrame(1, request(1), 0);
        frontEnd.clientFrame(1, new ClientFrame.KeepAlive(2), 0);
        frontEnd.clientFrame(1, read(3), 0);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, request(1), 0);

        assertThat(out.take()).containsExactly("link2>1:Read3", "link2>1:Attach", "link2>1:Request1");
    }

    @Test
    void lateFramesOfAnOldLinkAreDropped() {
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, request(1), 0);
        lead("r3", 6, 2);
        out.take();

        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);
        frontEnd.downstream(1, new DownstreamFrame.NotLeader("late"), 0);
        frontEnd.upstreamOpened(1);
        frontEnd.upstreamClosed(1, 0);

        assertThat(out.take()).isEmpty();
    }

    /** R2.4: a leader elected again has forgotten its streams. */
    @Test
    void theSameLeaderInAHigherTermIsAnotherLeader() {
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.leaderKnown("r2", 5, 0);
        assertThat(out.take()).isEmpty();
        frontEnd.leaderKnown("r2", 7, 0);

        assertThat(out.take()).containsExactly("hang up link1", "1<Interrupted hint=null", "dial link2 r2");
    }

    @Test
    void olderNewsOfALeaderIsIgnored() {
        lead("r3", 6, 1);
        out.take();

        frontEnd.leaderKnown("r2", 5, 0);
        frontEnd.leaderKnown(null, 5, 0);

        assertThat(out.take()).isEmpty();
    }

    @Test
    void whenTheLeaderIsLostClientsAreInterruptedAndWait() {
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.leaderKnown(null, 5, 0);
        frontEnd.clientFrame(1, attach(), 0);
        assertThat(out.take()).containsExactly("hang up link1", "1<Interrupted hint=null");

        frontEnd.leaderKnown("r2", 5, 0);
        frontEnd.upstreamOpened(2);
        assertThat(out.take()).containsExactly("dial link2 r2", "link2>1:Attach");
    }

    @Test
    void aBrokenLinkIsDialledAgainWithGrowingDelays() {
        lead("r1", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.upstreamClosed(1, 0);
        assertThat(out.take()).containsExactly("1<Interrupted hint=10.0.0.1:7420");
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(20 * MILLI);
        frontEnd.tick(20 * MILLI);
        frontEnd.upstreamClosed(2, 20 * MILLI);
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(60 * MILLI);
        frontEnd.tick(59 * MILLI);
        frontEnd.tick(60 * MILLI);

        assertThat(out.take()).containsExactly("dial link2 r1", "dial link3 r1");
    }

    @Test
    void aLeaderThatStepsDownInterruptsItsClients() {
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.downstream(1, new DownstreamFrame.NotLeader("no majority"), 0);

        assertThat(out.take()).containsExactly("hang up link1", "1<Interrupted hint=null");
        frontEnd.upstreamClosed(1, 0);
        frontEnd.tick(20 * MILLI);
        assertThat(out.take()).containsExactly("dial link2 r2");
    }

    /** R3.6: the word of a stream that is no longer bound is for nobody; the leader asks again after the attach. */
    @Test
    void anAcknowledgementOfBeforeAnInterruptionGoesNowhere() {
        ClientFrame ack = new ClientFrame.EndingAck(new Ending.OfSession(new SessionId(9)));
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, ack, 0);
        assertThat(out.take()).endsWith("link1>1:Attach", "link1>1:EndingAck");

        frontEnd.downstream(1, new DownstreamFrame.NotLeader("no majority"), 0);
        frontEnd.clientFrame(1, ack, 0);
        frontEnd.leaderKnown("r3", 6, 0);
        frontEnd.upstreamOpened(2);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, ack, 0);
        assertThat(out.take()).endsWith("dial link2 r3", "link2>1:Attach", "link2>1:EndingAck");
    }

    /** R6.4: it speaks of a cache that was emptied when its client heard of the interruption. */
    @Test
    void anAcknowledgementOfACacheOfBeforeAnInterruptionGoesNowhere() {
        ClientFrame ack = new ClientFrame.CacheAck(5, 2);
        lead("r2", 5, 1);
        open(1);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, ack, 0);
        assertThat(out.take()).endsWith("link1>1:Attach", "link1>1:CacheAck");

        frontEnd.downstream(1, new DownstreamFrame.NotLeader("no majority"), 0);
        frontEnd.clientFrame(1, ack, 0);
        frontEnd.leaderKnown("r3", 6, 0);
        frontEnd.upstreamOpened(2);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(1, ack, 0);
        assertThat(out.take()).endsWith("dial link2 r3", "link2>1:Attach", "link2>1:CacheAck");
    }

    /** It says that this end is there, whatever became of the leader; the leader never hears of it. */
    @Test
    void aPingIsAnsweredHereWithALeaderAndWithout() {
        open(1);
        out.take();
        frontEnd.clientFrame(1, new ClientFrame.Ping(), 0);
        assertThat(out.take()).containsExactly("1<Pong[]");
        lead("r2", 5, 1);
        out.take();
        frontEnd.clientFrame(1, new ClientFrame.Ping(), 0);
        assertThat(out.take()).containsExactly("1<Pong[]");
    }

    /** C81: the sockets of a frozen leader stay open and say nothing. */
    @Test
    void aLinkThatDoesNotOpenIsGivenUpAndClientsAreRefused() {
        open(1);
        frontEnd.leaderKnown("r2", 5, 0);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.tick(2_000 * MILLI);
        assertThat(out.take()).containsExactly("hang up link1", "1<Refused0 UNAVAILABLE definite");
        frontEnd.leaderKnown("r3", 6, 2_001 * MILLI);
        assertThat(out.take()).containsExactly("dial link2 r3");
        frontEnd.upstreamOpened(1);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void theLeaderHearsOfAClosedStreamOnlyIfItKnowsIt() {
        lead("r2", 5, 1);
        open(1, 2);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();

        frontEnd.clientClosed(1);
        frontEnd.clientClosed(2);
        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);

        assertThat(out.take()).containsExactly("link1>1:closed");
    }

    @Test
    void framesOfAClosedStreamDoNotWait() {
        open(1, 2);
        frontEnd.clientFrame(1, attach(), 0);
        frontEnd.clientFrame(2, read(1), 0);
        frontEnd.clientClosed(1);
        lead("r2", 5, 1);

        assertThat(out.take()).containsExactly("dial link1 r2", "link1>2:Read1");
    }

    @Test
    void oneClientTooManyIsTurnedAway() {
        open(1, 2, 3);
        frontEnd.clientOpened(4, 0);
        frontEnd.clientFrame(4, read(1), 0);

        assertThat(out.take()).containsExactly("close 4");
        assertThat(frontEnd.clients()).isEqualTo(3);
    }

    @Test
    void whoDrainsAsksItsClientsToMoveAndServesThemUntilTheyHave() {
        lead("r2", 5, 1);
        open(1, 2);
        out.take();
        frontEnd.drain("bye", 700);
        assertThat(out.take())
                .containsExactly(
                        "1<Draining[reason=bye, spreadMillis=700]", "2<Draining[reason=bye, spreadMillis=700]");

        frontEnd.clientFrame(1, request(1), 0);
        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);
        assertThat(out.take()).containsExactly("link1>1:Request1", "1<Reply1");

        frontEnd.clientOpened(3, 0);
        frontEnd.clientFrame(3, read(1), 0);
        assertThat(out.take()).containsExactly("close 3");

        frontEnd.clientClosed(1);
        frontEnd.clientClosed(2);
        assertThat(frontEnd.clients()).isZero();
    }

    /** C115: terms begin anew with the cell, and what a client believes of the old one it must hear to be over. */
    @Test
    void aCellThatWasSetUpAnewHasNothingInCommonWithTheOldOne() {
        lead("r2", 50, 1);
        open(1, 2);
        frontEnd.clientFrame(1, attach(), 0);
        out.take();
        frontEnd.cellReplaced(config().withDeployment("d2"), Shards.NONE);
        assertThat(out.take()).containsExactly("hang up link1", "close 1", "close 2");

        frontEnd.downstream(1, new DownstreamFrame.Deliver(1, reply(1)), 0);
        frontEnd.leaderKnown("r2", 1, 0);
        assertThat(out.take()).containsExactly("dial link2 r2");
        frontEnd.clientOpened(3, 0);
        assertThat(out.take()).containsExactly("3<Hello[cell=main, deployment=d2, replica=r1]");
    }

    private void lead(String leader, long term, long link) {
        frontEnd.leaderKnown(leader, term, 0);
        frontEnd.upstreamOpened(link);
    }

    private void open(long... streams) {
        List<String> before = out.take();
        for (long stream : streams) {
            frontEnd.clientOpened(stream, 0);
        }
        out.take();
        out.log.addAll(before);
    }

    private static FrontEndConfig config() {
        TreeMap<String, String> addresses = new TreeMap<>();
        addresses.put("r1", "10.0.0.1:7420");
        return new FrontEndConfig(
                "main",
                "d1",
                "r1",
                addresses,
                new FrontEndConfig.Bounds(3, 3, 3, 10_000),
                FrontEndConfig.Times.defaults());
    }

    private static ClientFrame attach() {
        return new ClientFrame.Attach(new SessionId(9), new byte[16], 1);
    }

    private static ClientFrame request(long id) {
        return new ClientFrame.Request(id, 0, new Operation.Cancel(1));
    }

    private static ClientFrame put(long id, int bytes) {
        return new ClientFrame.OneShot(id, new Operation.Put(NodePath.ROOT, new byte[bytes], -2));
    }

    private static ClientFrame read(long id) {
        return new ClientFrame.Read(id, new Query.CellStatus());
    }

    private static ServerFrame reply(long id) {
        return new ServerFrame.Reply(id, new Outcome.SessionClosed());
    }

    private static final class Recorder implements FrontEnd.Output {
        private final List<String> log = new ArrayList<>();

        List<String> take() {
            List<String> taken = List.copyOf(log);
            log.clear();
            return taken;
        }

        @Override
        public void toClient(long stream, ServerFrame frame) {
            String text = frame.toString();
            if (frame instanceof ServerFrame.Refused refused) {
                text = "Refused" + refused.id() + " " + refused.code() + (refused.definite() ? " definite" : "");
            } else if (frame instanceof ServerFrame.Interrupted interrupted) {
                text = "Interrupted hint=" + interrupted.leaderHint();
            } else if (frame instanceof ServerFrame.Reply reply) {
                text = "Reply" + reply.requestId();
            }
            log.add(stream + "<" + text);
        }

        @Override
        public void closeClient(long stream, String reason) {
            log.add("close " + stream);
        }

        @Override
        public void openUpstream(long link, String leaderReplica) {
            log.add("dial link" + link + " " + leaderReplica);
        }

        @Override
        public void toUpstream(long link, UpstreamFrame frame) {
            String text = ":closed";
            long stream = 0;
            if (frame instanceof UpstreamFrame.Forward forward) {
                stream = forward.stream();
                long id = Frames.idOf(forward.frame());
                text = ":" + forward.frame().getClass().getSimpleName() + (id == 0 ? "" : id);
            } else if (frame instanceof UpstreamFrame.StreamClosed closed) {
                stream = closed.stream();
            }
            log.add("link" + link + ">" + stream + text);
        }

        @Override
        public void closeUpstream(long link) {
            log.add("hang up link" + link);
        }
    }
}
