package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Query;
import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories of calls to shards at a front end (R2.7, R7.4). */
class ShardCallsTest {
    private static final long MILLI = 1_000_000L;
    private static final String S0 = "shard-00";
    private static final String S1 = "shard-01";

    private final Recorder out = new Recorder();
    private final FrontEnd frontEnd = new FrontEnd(FrontEndConfig.of("main", "d1", "r1"), new Shards(3), out);

    @BeforeEach
    void twoClients() {
        frontEnd.clientOpened(1, 0);
        frontEnd.clientOpened(2, 0);
        out.take();
    }

    private void call(long stream, long id, int shard) {
        frontEnd.clientFrame(stream, new ClientFrame.Read(id, new Query.ShardStatus(shard)), 0);
    }

    private void answer(long link, String cell, long stream, long id) {
        ServerFrame reply = new ServerFrame.ReadReply(id, Answer.Status.unknown(cell));
        frontEnd.downstream(link, from(cell, stream, reply), 0);
    }

    private static DownstreamFrame from(String cell, long stream, ServerFrame frame) {
        return new DownstreamFrame.FromCell(cell, new DownstreamFrame.Deliver(stream, frame));
    }

    @Test
    void aLinkIsOpenedWhenTheFirstCallNeedsItAndSharedByTheShardsOfAReplica() {
        frontEnd.leaderKnown(S0, "r2", 5, 0);
        frontEnd.leaderKnown(S1, "r2", 7, 0);
        assertThat(out.take()).isEmpty(); // nobody asked yet

        call(1, 7, 0);
        call(2, 8, 1);
        assertThat(out.take()).containsExactly("dial link-1 r2");
        frontEnd.upstreamOpened(-1);
        assertThat(out.take()).containsExactly("link-1>shard-00 1:7", "link-1>shard-01 2:8");
        answer(-1, S1, 2, 8);
        answer(-1, S0, 1, 7);
        assertThat(out.take()).containsExactly("2<Answer8", "1<Answer7");
    }

    @Test
    void shardsOfDifferentLeadersHaveLinksOfTheirOwnBesideThatOfTheFirstCell() {
        frontEnd.leaderKnown("r3", 1, 0);
        frontEnd.leaderKnown(S0, "r2", 5, 0);
        frontEnd.leaderKnown(S1, "r3", 7, 0);
        call(1, 7, 0);
        call(1, 8, 1);
        assertThat(out.take()).containsExactly("dial link1 r3", "dial link-1 r2", "dial link-2 r3");
    }

    @Test
    void aCallWaitsForALeaderForABoundedTimeAndIsThenDefinitelyNotDone() {
        call(1, 7, 0);
        assertThat(frontEnd.framesWaiting()).isEqualTo(1);
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(2_000 * MILLI);
        frontEnd.tick(2_000 * MILLI);
        assertThat(out.take()).containsExactly("1<Refused7 UNAVAILABLE definite");
        assertThat(frontEnd.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatWaitedGoesWhenTheLeaderIsKnown() {
        call(1, 7, 0);
        frontEnd.leaderKnown(S0, "r2", 5, MILLI);
        frontEnd.upstreamOpened(-1);
        assertThat(out.take()).containsExactly("dial link-1 r2", "link-1>shard-00 1:7");
    }

    @Test
    void aShardThatDoesNotExistIsRefused() {
        call(1, 7, 3);
        call(1, 8, -1);
        assertThat(out.take()).containsExactly("1<Refused7 INVALID definite", "1<Refused8 INVALID definite");
        assertThat(frontEnd.framesWaiting()).isZero();
    }

    /** Forwarded, and nobody knows what became of it: told so, never repeated (R2.7). Others and the session go on. */
    @Test
    void aLinkThatEndsConcernsOnlyWhatWasForwardedOnIt() {
        open(S0, "r2", 5);
        frontEnd.leaderKnown(S1, "r3", 5, 0);
        call(1, 7, 0);
        call(2, 8, 1);
        frontEnd.upstreamOpened(-2);
        out.take();

        frontEnd.upstreamClosed(-1, 0);
        assertThat(out.take()).containsExactly("1<Refused7 UNAVAILABLE");
        call(1, 9, 0);
        assertThat(out.take()).isEmpty(); // dialled again after a moment
        frontEnd.tick(20 * MILLI);
        assertThat(out.take()).containsExactly("dial link-3 r2");
        answer(-2, S1, 2, 8);
        assertThat(out.take()).containsExactly("2<Answer8");
    }

    /** What an old link brings late reaches nobody: its calls were told that they are unknown. */
    @Test
    void lateAnswersOfAnEarlierLinkAreDropped() {
        open(S0, "r2", 5);
        call(1, 7, 0);
        frontEnd.upstreamClosed(-1, 0);
        frontEnd.tick(20 * MILLI);
        out.take();
        answer(-1, S0, 1, 7);
        assertThat(out.take()).isEmpty();
    }

    /** An old leader answers or refuses what it has; then, or if it is frozen, nothing of it is waited for. */
    @Test
    void afterAChangeOfLeaderEarlierCallsAreGivenUpAfterAMoment() {
        open(S0, "r2", 5);
        call(1, 7, 0);
        call(1, 8, 0);
        out.take();
        frontEnd.leaderKnown(S0, "r3", 6, 0);
        call(1, 9, 0);
        frontEnd.upstreamOpened(-2);
        answer(-1, S0, 1, 7);
        assertThat(out.take()).containsExactly("dial link-2 r3", "link-2>shard-00 1:9", "1<Answer7");

        frontEnd.tick(ShardCalls.GRACE_NANOS);
        assertThat(out.take()).containsExactly("1<Refused8 UNAVAILABLE", "hang up link-1");
        answer(-1, S0, 1, 8);
        answer(-2, S0, 1, 9);
        assertThat(out.take()).containsExactly("1<Answer9");
    }

    @Test
    void aLeaderThatIsLostAndFoundInItsTermKeepsItsCalls() {
        open(S0, "r2", 5);
        call(1, 7, 0);
        out.take();
        frontEnd.leaderKnown(S0, null, 5, 0);
        frontEnd.leaderKnown(S0, "r2", 5, 10 * MILLI);
        frontEnd.tick(ShardCalls.GRACE_NANOS + 10 * MILLI);
        answer(-1, S0, 1, 7);
        assertThat(out.take()).containsExactly("1<Answer7");
    }

    @Test
    void withoutALeaderForAMomentCallsAreGivenUp() {
        open(S0, "r2", 5);
        call(1, 7, 0);
        out.take();
        frontEnd.leaderKnown(S0, null, 5, 0);
        frontEnd.tick(ShardCalls.GRACE_NANOS);
        assertThat(out.take()).contains("1<Refused7 UNAVAILABLE");
    }

    /** Each call is refused by itself, as definitely as its leader says; the link goes on for the other shards. */
    @Test
    void aShardsLeaderThatStepsDownDoesNotEndTheLink() {
        open(S0, "r2", 5);
        frontEnd.leaderKnown(S1, "r2", 5, 0);
        call(1, 7, 0);
        call(1, 8, 1);
        out.take();
        frontEnd.downstream(-1, from(S0, 1, new ServerFrame.Refused(7, ErrorCode.UNAVAILABLE, true, "deposed")), 0);
        frontEnd.downstream(-1, new DownstreamFrame.FromCell(S0, new DownstreamFrame.NotLeader("deposed")), 0);
        answer(-1, S1, 1, 8);
        assertThat(out.take()).containsExactly("1<Refused7 UNAVAILABLE definite", "1<Answer8");
    }

    @Test
    void aLinkThatDoesNotOpenIsGivenUpAndTriedAgain() {
        frontEnd.leaderKnown(S0, "r2", 5, 0);
        frontEnd.clientFrame(1, new ClientFrame.Read(7, new Query.ShardStatus(0)), 1_000 * MILLI);
        out.take();
        frontEnd.tick(3_000 * MILLI);
        assertThat(out.take()).containsExactly("hang up link-1", "1<Refused7 UNAVAILABLE definite");
        frontEnd.clientFrame(1, new ClientFrame.Read(8, new Query.ShardStatus(0)), 3_020 * MILLI);
        assertThat(out.take()).containsExactly("dial link-2 r2");
    }

    /** The leader keeps something for each stream that it heard of. */
    @Test
    void aClientThatGoesIsToldToTheShardsThatKnowIt() {
        open(S0, "r2", 5);
        frontEnd.leaderKnown(S1, "r2", 5, 0);
        call(1, 7, 0);
        call(1, 8, 1);
        call(2, 9, 1);
        out.take();
        frontEnd.clientClosed(1);
        assertThat(out.take()).containsExactly("link-1>shard-00 1 closed", "link-1>shard-01 1 closed");
        answer(-1, S0, 1, 7);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void olderNewsOfALeaderIsIgnored() {
        open(S0, "r2", 5);
        frontEnd.leaderKnown(S0, "r3", 4, 0);
        frontEnd.leaderKnown("shard-77", "r3", 4, 0);
        call(1, 7, 0);
        assertThat(out.take()).containsExactly("link-1>shard-00 1:7");
    }

    /** The link to this leader is open, by a call that was answered. */
    private void open(String cell, String leader, long term) {
        frontEnd.leaderKnown(cell, leader, term, 0);
        call(2, 1, Integer.parseInt(cell.substring(6)));
        frontEnd.upstreamOpened(-1);
        answer(-1, cell, 2, 1);
        frontEnd.clientClosed(2);
        frontEnd.clientOpened(2, 0);
        out.take();
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
            if (frame instanceof ServerFrame.Refused refused) {
                log.add(stream + "<Refused" + refused.id() + " " + refused.code()
                        + (refused.definite() ? " definite" : ""));
            } else if (frame instanceof ServerFrame.ReadReply reply) {
                log.add(stream + "<Answer" + reply.callId());
            } else {
                log.add(stream + "<" + frame.getClass().getSimpleName());
            }
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
            UpstreamFrame.ToCell to = (UpstreamFrame.ToCell) frame;
            String what = to.frame() instanceof UpstreamFrame.Forward forward
                    ? forward.stream() + ":" + Frames.idOf(forward.frame())
                    : ((UpstreamFrame.StreamClosed) to.frame()).stream() + " closed";
            log.add("link" + link + ">" + to.cell() + " " + what);
        }

        @Override
        public void closeUpstream(long link) {
            log.add("hang up link" + link);
        }
    }
}
