package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R3.5 for a front end, sentence by sentence, and how it is meant (ADR 0020). */
final class KeepAliveBatchPaperTest {
    private static final long MILLI = 1_000_000L;
    private static final long PATIENT = 1_000;

    private final Recorder out = new Recorder();
    private final FrontEnd frontEnd = new FrontEnd(FrontEndConfig.of("main", "d1", "r1"), out);
    private long now = 5_000 * MILLI;

    KeepAliveBatchPaperTest() {
        frontEnd.leaderKnown("r1", 3, now);
        frontEnd.upstreamOpened(1);
    }

    // ---- one batch a second

    @Test
    void theKeepAlivesOfAllClientsGoTogetherOnceASecond() {
        for (int stream = 1; stream <= 500; stream++) {
            attached(stream);
        }
        out.take();
        for (int stream = 1; stream <= 500; stream++) {
            keepAlive(stream, 7, PATIENT);
            pass(2);
        }
        assertThat(out.batches())
                .singleElement()
                .satisfies(batch -> assertThat(batch.heard()).hasSize(500));
        pass(3_000);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void twoThousandClientsCostAFrameASecond() {
        for (int stream = 1; stream <= 2_000; stream++) {
            attached(stream);
        }
        out.take();
        for (int tenth = 0; tenth < 200; tenth++) { // 20 s; each sends every 4 s
            for (int i = 1; i <= 50; i++) {
                keepAlive(1 + (tenth % 40) * 50 + (i - 1), tenth, PATIENT);
            }
            pass(100);
            out.batches.forEach(batch -> frontEnd.downstream(1, settled(batch.number(), List.of(), List.of()), now));
            out.batches.clear();
        }
        assertThat(out.sentBatches).isBetween(15, 20);
        assertThat(out.sentLines).isBetween(9_400, 10_000);
    }

    /** Who has not long to live, or has just come, does not wait; and takes along who waits. */
    @Test
    void aKeepAliveInAHurryTakesTheOthersAlongAtOnce() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 4, PATIENT);
        assertThat(out.take()).isEmpty();
        keepAlive(2, 9, 0);
        assertThat(out.take()).containsExactly("batch1 1:4 2:9");
    }

    @Test
    void thoseInAHurryWaitForEachOtherAMoment() {
        for (int stream = 1; stream <= 3; stream++) {
            attached(stream);
        }
        out.take();
        keepAlive(1, 1, 0);
        keepAlive(2, 1, 0);
        keepAlive(3, 1, 0);
        assertThat(out.take()).containsExactly("batch1 1:1");
        pass(20);
        assertThat(out.take()).containsExactly("batch2 2:1 3:1");
    }

    @Test
    void nobodysPatienceCountsForMoreThanASecondOrLessThanNothing() {
        attached(1);
        out.take();
        keepAlive(1, 1, Long.MAX_VALUE);
        pass(1_000);
        assertThat(out.take()).containsExactly("batch1 1:1");
        pass(1_000);
        keepAlive(1, 2, Long.MIN_VALUE);
        assertThat(out.take()).containsExactly("batch2 1:2");
    }

    // ---- "a proxy's batch lists only sessions it heard from since its last batch"

    @Test
    void aClientThatSaysNothingMoreIsNotListedAgain() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(2, 1, PATIENT);
        pass(1_000);
        assertThat(out.take()).containsExactly("batch1 1:1 2:1");
        keepAlive(2, 2, PATIENT);
        pass(1_000);
        assertThat(out.take()).containsExactly("batch2 2:2");
        pass(20_000);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void whoIsGoneIsNotListed() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(2, 1, PATIENT);
        frontEnd.clientClosed(1);
        pass(1_000);
        assertThat(out.take()).containsExactly("closed 1", "batch1 2:1");
    }

    @Test
    void theLastOfSeveralIsListed() {
        attached(1);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(1, 2, PATIENT);
        pass(1_000);
        assertThat(out.take()).containsExactly("batch1 1:2");
    }

    /** Attaching proved the secret (R3.1); until the leader has said so, nothing is listed for the stream. */
    @Test
    void onlyStreamsThatTheLeaderHasBoundAreListed() {
        frontEnd.clientOpened(1, now);
        frontEnd.clientFrame(1, attach(1, 1), now);
        out.take();
        keepAlive(1, 1, PATIENT);
        assertThat(out.take()).containsExactly("1:KeepAlive");
        deliver(1, new ServerFrame.Attached(session(1), 9, 3)); // of an earlier attach
        keepAlive(1, 2, PATIENT);
        assertThat(out.take()).endsWith("1:KeepAlive");
        deliver(1, new ServerFrame.Attached(session(1), 1, 3));
        out.take();
        keepAlive(1, 3, PATIENT);
        assertThat(out.take()).isEmpty();
        frontEnd.clientFrame(1, attach(1, 2), now); // binds anew: what was sent before it is not listed
        pass(1_000);
        assertThat(out.take()).containsExactly("1:Attach");
    }

    @Test
    void whoseSessionEndedOrMovedOnIsNotListed() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(2, 1, PATIENT);
        deliver(1, new ServerFrame.SessionEnded(session(1), "closed"));
        deliver(2, new ServerFrame.Refused(0, ErrorCode.REPLACED, true, "a later attachment took over"));
        out.take();
        pass(1_000);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void anOpenBindsToo() {
        frontEnd.clientOpened(1, now);
        frontEnd.clientFrame(1, new ClientFrame.Open(5, new byte[16], 12_000, "c", false), now);
        deliver(1, new ServerFrame.Opened(5, session(1), 12_000, 3));
        out.take();
        keepAlive(1, 6, 0);
        assertThat(out.take()).containsExactly("batch1 1:6");
    }

    // ---- "drops KeepAlives older than 2 s"

    /** A leader that answers no batch holds the next back; what waited for more than 2 s is dropped. */
    @Test
    void whatWaitsForLongerThanTwoSecondsIsDropped() {
        attached(1);
        attached(2);
        out.take();
        for (int i = 1; i <= KeepAliveBatches.MAX_IN_FLIGHT; i++) {
            keepAlive(1, i, 0);
            pass(20);
        }
        out.take();
        keepAlive(1, 100, 0);
        pass(1_500);
        keepAlive(2, 1, 0);
        pass(501);
        assertThat(out.take()).isEmpty();
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        assertThat(out.take()).containsExactly("1<KeepAliveAck 1 renewed", "batch17 2:1");
    }

    /** A front end that stood still must not renew on waking: by its own clock they are old. */
    @Test
    void whatWaitedWhileTheFrontEndStoodStillIsDropped() {
        attached(1);
        out.take();
        keepAlive(1, 1, PATIENT);
        now += 2_001 * MILLI;
        frontEnd.tick(now);
        assertThat(out.take()).isEmpty();
    }

    /** What is read after it woke may have been sent at any time since it fell asleep. */
    @Test
    void whatLayUnreadWhileTheFrontEndStoodStillIsDropped() {
        attached(1);
        attached(2);
        out.take();
        now += 6_000 * MILLI;
        keepAlive(1, 1, 0);
        frontEnd.tick(now);
        pass(100);
        keepAlive(1, 2, 0);
        assertThat(out.take()).isEmpty();
        pass(101);
        keepAlive(1, 3, 0);
        assertThat(out.take()).containsExactly("batch1 1:3");
    }

    /** Its client heard of the attach after the waking, and sent this after that. */
    @Test
    void whoWasBoundAfterTheWakingIsNotDropped() {
        now += 6_000 * MILLI;
        attached(1);
        out.take();
        keepAlive(1, 1, 0);
        assertThat(out.take()).containsExactly("batch1 1:1");
    }

    // ---- "answers only those that had arrived before the batch was sent"

    @Test
    void theAnswerNamesTheSendThatTheBatchListed() {
        attached(1);
        out.take();
        keepAlive(1, 1, 0);
        keepAlive(1, 2, PATIENT);
        out.take();
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        assertThat(out.take()).containsExactly("1<KeepAliveAck 1 renewed");
        pass(1_000);
        assertThat(out.take()).containsExactly("batch2 1:2");
    }

    @Test
    void nothingIsConfirmedWithoutTheLeader() {
        attached(1);
        out.take();
        keepAlive(1, 1, 0);
        pass(10_000);
        assertThat(out.take()).containsExactly("batch1 1:1");
    }

    // ---- "only a reply marked renewed extends the lease"

    @Test
    void whatTheLeaderDidNotRenewIsAnsweredSoAndWhoIsUnboundNotAtAll() {
        for (int stream = 1; stream <= 3; stream++) {
            attached(stream);
        }
        out.take();
        for (int stream = 1; stream <= 3; stream++) {
            keepAlive(stream, stream, PATIENT);
        }
        pass(1_000);
        out.take();
        frontEnd.downstream(1, settled(1, List.of(1, 77, -1), List.of(2)), now);
        assertThat(out.take()).containsExactly("1<KeepAliveAck 1 renewed", "2<KeepAliveAck 2 not renewed");
    }

    /** R6.2, R6.3: the leader decides it for each session, in the step that renews. */
    @Test
    void whetherACacheLeaseIsRenewedIsTheLeadersWordToo() {
        for (int stream = 1; stream <= 4; stream++) {
            attached(stream);
        }
        out.take();
        for (int stream = 1; stream <= 4; stream++) {
            keepAlive(stream, stream, PATIENT);
        }
        pass(1_000);
        out.take();
        frontEnd.downstream(
                1, new DownstreamFrame.KeepAlivesSettled(1, 3, List.of(1), List.of(0, 77, -1), List.of(3)), now);
        assertThat(out.take())
                .containsExactly(
                        "1<KeepAliveAck 1 renewed, its cache not",
                        "2<KeepAliveAck 2 not renewed",
                        "3<KeepAliveAck 3 renewed");
    }

    /** R6.3: as on the link, so on each client's stream. */
    @Test
    void confirmationsInvalidationsAndFillsKeepTheirOrder() {
        attached(1);
        out.take();
        keepAlive(1, 1, 0);
        keepAlive(1, 2, PATIENT);
        frontEnd.clientFrame(1, new ClientFrame.CacheAck(3, 1), now); // waits for no batch
        assertThat(out.take()).containsExactly("batch1 1:1", "1:CacheAck");
        deliver(1, new ServerFrame.ReadReply(9, new Answer.Failed(ErrorCode.NOT_FOUND, ""), 5, null));
        deliver(1, new ServerFrame.Invalidate(session(1), 2, List.of(NodePath.ROOT)));
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        deliver(1, new ServerFrame.Invalidate(session(1), 3, List.of(NodePath.ROOT)));
        assertThat(out.take())
                .containsExactly("1<ReadReply", "1<Invalidate", "1<KeepAliveAck 1 renewed", "1<Invalidate");
    }

    @Test
    void aRefusedBatchIsRefusedToAllThatItListed() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(2, 1, 0);
        out.take();
        frontEnd.downstream(
                1, new DownstreamFrame.KeepAlivesRefused(1, ErrorCode.UNAVAILABLE, "the leader changed"), now);
        assertThat(out.take()).containsExactly("1<Refused UNAVAILABLE", "2<Refused UNAVAILABLE");
    }

    @Test
    void nobodyIsInterruptedBecauseTheLeaderHasTooMuchToDo() {
        attached(1);
        out.take();
        keepAlive(1, 1, PATIENT);
        pass(1_000);
        out.take();
        frontEnd.downstream(1, new DownstreamFrame.KeepAlivesRefused(1, ErrorCode.BUSY, "too much"), now);
        assertThat(out.take()).isEmpty();
        pass(100);
        keepAlive(1, 2, 0); // it repeats it, in a hurry
        assertThat(out.take()).hasSize(1);
    }

    @Test
    void anAnswerIsGoodOnceAndOnlyForWhoIsStillThere() {
        attached(1);
        attached(2);
        out.take();
        keepAlive(1, 1, PATIENT);
        keepAlive(2, 1, 0);
        frontEnd.clientClosed(1);
        out.take();
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        frontEnd.downstream(1, settled(5, List.of(), List.of()), now);
        assertThat(out.take()).containsExactly("2<KeepAliveAck 1 renewed");
    }

    /** What was on an old link is not answered by the new one, nor sent on it. */
    @Test
    void withTheLinkGoesAllThatWasGathered() {
        attached(1);
        out.take();
        keepAlive(1, 1, 0);
        keepAlive(1, 2, PATIENT);
        frontEnd.leaderKnown("r2", 4, now);
        frontEnd.upstreamOpened(2);
        out.take();
        frontEnd.downstream(1, settled(1, List.of(), List.of()), now);
        frontEnd.downstream(2, settled(1, List.of(), List.of()), now);
        pass(5_000);
        assertThat(out.take()).isEmpty();
    }

    // ---- driving it

    private static SessionId session(long stream) {
        return new SessionId(100 + stream);
    }

    private static ClientFrame.Attach attach(long stream, long attachment) {
        return new ClientFrame.Attach(session(stream), new byte[16], attachment);
    }

    private void attached(long stream) {
        frontEnd.clientOpened(stream, now);
        frontEnd.clientFrame(stream, attach(stream, 1), now);
        deliver(stream, new ServerFrame.Attached(session(stream), 1, 3));
    }

    private void deliver(long stream, ServerFrame frame) {
        frontEnd.downstream(1, new DownstreamFrame.Deliver(stream, frame), now);
    }

    private void keepAlive(long stream, long sendNumber, long patienceMillis) {
        frontEnd.clientFrame(stream, new ClientFrame.KeepAlive(sendNumber, patienceMillis), now);
    }

    private static DownstreamFrame settled(long batch, List<Integer> notRenewed, List<Integer> unbound) {
        return new DownstreamFrame.KeepAlivesSettled(batch, 3, notRenewed, List.of(), unbound);
    }

    private void pass(long millis) {
        long end = now + millis * MILLI;
        for (long next = frontEnd.nextDeadlineNanos(); next <= end; next = frontEnd.nextDeadlineNanos()) {
            now = Math.max(now, next);
            frontEnd.tick(now);
        }
        now = end;
    }

    private static final class Recorder implements FrontEnd.Output {
        private final List<String> log = new ArrayList<>();
        private final List<UpstreamFrame.KeepAlives> batches = new ArrayList<>();
        private int sentBatches;
        private int sentLines;

        List<String> take() {
            List<String> taken = List.copyOf(log);
            log.clear();
            batches.clear();
            return taken;
        }

        List<UpstreamFrame.KeepAlives> batches() {
            List<UpstreamFrame.KeepAlives> taken = List.copyOf(batches);
            take();
            return taken;
        }

        @Override
        public void toClient(long stream, ServerFrame frame) {
            String text = frame.getClass().getSimpleName();
            if (frame instanceof ServerFrame.KeepAliveAck ack) {
                text += " " + ack.sendNumber() + (ack.renewed() ? " renewed" : " not renewed");
                text += ack.renewed() && !ack.cacheRenewed() ? ", its cache not" : "";
                assertThat(ack.renewed() || !ack.cacheRenewed()).isTrue(); // R6.2
            } else if (frame instanceof ServerFrame.Refused refused) {
                text += " " + refused.code();
            }
            log.add(stream + "<" + text);
        }

        @Override
        public void closeClient(long stream, String reason) {}

        @Override
        public void openUpstream(long link, String leaderReplica) {}

        @Override
        public void closeUpstream(long link) {}

        @Override
        public void toUpstream(long link, UpstreamFrame frame) {
            if (frame instanceof UpstreamFrame.KeepAlives batch) {
                StringBuilder text = new StringBuilder("batch" + batch.number());
                for (UpstreamFrame.Heard heard : batch.heard()) {
                    assertThat(heard.session()).isEqualTo(session(heard.stream()));
                    text.append(" ").append(heard.stream()).append(":").append(heard.sendNumber());
                }
                log.add(text.toString());
                batches.add(batch);
                sentBatches++;
                sentLines += batch.heard().size();
            } else if (frame instanceof UpstreamFrame.StreamClosed closed) {
                log.add("closed " + closed.stream());
            } else if (frame instanceof UpstreamFrame.Forward forward) {
                log.add(forward.stream() + ":" + forward.frame().getClass().getSimpleName());
            }
        }
    }
}
