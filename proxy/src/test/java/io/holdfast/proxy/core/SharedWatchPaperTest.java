package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R5.1–R5.4 for a front end: one watch at the leader for each path and kind, one event for each client (ADR 0020). */
final class SharedWatchPaperTest {
    private final Recorder out = new Recorder();
    private final FrontEnd frontEnd = new FrontEnd(FrontEndConfig.of("main", "d1", "r1"), out);

    SharedWatchPaperTest() {
        frontEnd.leaderKnown("r1", 3, 0);
        frontEnd.upstreamOpened(1);
        attached(1);
        attached(2);
        attached(3);
        out.take();
    }

    // ---- R5.1: registered together with the read

    @Test
    void clientsShareOneWatchForEachPathAndKind() {
        reads(1, 10, 71, value("/a"));
        reads(2, 20, 72, value("/a"));
        reads(2, 21, 73, new Query.Stat(new NodePath("/a")));
        reads(2, 22, 74, value("/b"));
        assertThat(out.take())
                .containsExactly("1>Read10 watch1", "2>Read20 watch1", "2>Read21 watch2", "2>Read22 watch3");
    }

    @Test
    void anEventGoesToAllWhoWereArmedOnceAndUnderTheirOwnNumbers() {
        armed(1, 10, 71, "/a");
        armed(2, 20, 72, "/a");
        armed(2, 21, 73, "/a");
        armed(3, 30, 74, "/b");
        fired(9, 1);
        assertThat(out.take()).containsExactly("1<Fired101 9 [71]", "2<Fired102 9 [72, 73]");
        fired(10, 1);
        assertThat(out.take()).isEmpty();
    }

    /** The history of ADR 0020: an event is on its way while another client reads. What it reads is as new as the event. */
    @Test
    void whoReadsWhileAnEventIsOnItsWayIsArmedByItsOwnAnswer() {
        armed(1, 10, 71, "/a");
        reads(2, 20, 72, value("/a"));
        out.take();
        fired(9, 1); // came before the answer, so the answer shows it, and the leader had the watch again by it
        answered(2, 20, 9);
        assertThat(out.take()).containsExactly("1<Fired101 9 [71]", "2<ReadReply20");
        fired(12, 1);
        assertThat(out.take()).containsExactly("2<Fired102 12 [72]");
    }

    @Test
    void anAnswerThatSaysNothingOfThePathArmsNothing() {
        reads(1, 10, 71, value("/a"));
        out.take();
        deliver(1, new ServerFrame.ReadReply(10, new Answer.Failed(ErrorCode.TOO_LARGE, "too large"), 5));
        assertThat(out.take()).containsExactly("1<ReadReply10", "drop [1]"); // the leader may have it
        reads(1, 11, 72, value("/a"));
        out.take();
        deliver(1, new ServerFrame.ReadReply(11, new Answer.Failed(ErrorCode.NOT_FOUND, "nothing there"), 5));
        fired(6, 2);
        assertThat(out.take()).containsExactly("1<ReadReply11", "1<Fired101 6 [72]");
    }

    @Test
    void aRefusedReadArmsNothing() {
        reads(1, 10, 71, value("/a"));
        out.take();
        deliver(1, new ServerFrame.Refused(10, ErrorCode.BUSY, true, "too much"));
        fired(6, 1);
        assertThat(out.take()).containsExactly("1<Refused10 BUSY", "drop [1]"); // the leader may have it
    }

    // ---- R5.2: event before reply

    @Test
    void eventsAndRepliesKeepTheOrderOfTheLink() {
        armed(1, 10, 71, "/a");
        frontEnd.clientFrame(1, new ClientFrame.Read(11, value("/a")), 0);
        out.take();
        fired(9, 1);
        answered(1, 11, 9);
        assertThat(out.take()).containsExactly("1<Fired101 9 [71]", "1<ReadReply11");
    }

    // ---- withdrawing

    @Test
    void theLastWhoLeavesWithdrawsIt() {
        armed(1, 10, 71, "/a");
        armed(2, 20, 72, "/a");
        frontEnd.clientFrame(1, new ClientFrame.Watch(30, List.of(), List.of(71L)), 0);
        assertThat(out.take()).containsExactly("claim1 []");
        claimed(1, 9);
        assertThat(out.take()).containsExactly("1<Watched30 9");
        fired(8, 7);
        frontEnd.clientClosed(2);
        assertThat(out.take()).containsExactly("closed 2", "drop [1]");
        reads(3, 31, 75, value("/a"));
        assertThat(out.take()).containsExactly("3>Read31 watch2"); // never the same number again
    }

    @Test
    void itIsNotWithdrawnWhileAReadThatMayArmItIsOnItsWay() {
        armed(1, 10, 71, "/a");
        reads(2, 20, 72, value("/a"));
        out.take();
        frontEnd.clientClosed(1);
        assertThat(out.take()).containsExactly("closed 1");
        answered(2, 20, 9);
        fired(12, 1);
        assertThat(out.take()).containsExactly("2<ReadReply20", "2<Fired102 12 [72]");
    }

    /** The leader was told first that the stream is closed, so it registers nothing more for it; it may have already. */
    @Test
    void whoLeavesWithAReadOnItsWayWithdrawsWhatThatMayHaveArmed() {
        reads(1, 10, 71, value("/a"));
        out.take();
        frontEnd.clientClosed(1);
        assertThat(out.take()).containsExactly("closed 1", "drop [1]");
        answered(1, 10, 9);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void whatIsWithdrawnBeforeItsAnswerIsNotArmed() {
        reads(1, 10, 71, value("/a"));
        frontEnd.clientFrame(1, new ClientFrame.Watch(30, List.of(), List.of(71L)), 0);
        out.take();
        answered(1, 10, 9);
        assertThat(out.take()).containsExactly("1<ReadReply10", "drop [1]");
    }

    /** R3.2, R5.3: the watches are those of the session on this stream. */
    @Test
    void withTheBindingGoTheWatches() {
        armed(1, 10, 71, "/a");
        reads(1, 11, 72, value("/b"));
        out.take();
        frontEnd.clientFrame(1, new ClientFrame.Attach(session(1), new byte[16], 2), 0);
        assertThat(out.take()).containsExactly("drop [1]", "1>Attach");
        answered(1, 11, 9);
        assertThat(out.take()).containsExactly("1<ReadReply11", "drop [2]");
        armed(2, 20, 73, "/a");
        deliver(2, new ServerFrame.SessionEnded(session(2), "closed"));
        assertThat(out.take()).containsExactly("2<SessionEnded", "drop [3]");
        armed(3, 30, 74, "/a");
        deliver(3, new ServerFrame.Refused(0, ErrorCode.REPLACED, true, "a later attachment took over"));
        assertThat(out.take()).containsExactly("3<Refused0 REPLACED", "drop [4]");
    }

    /** Else the first path would count for it for ever, and its limit for nobody. */
    @Test
    void aNumberThatIsArmedAgainForAnotherPathLeavesTheFirst() {
        armed(1, 10, 71, "/a");
        reads(1, 11, 71, value("/b"));
        out.take();
        answered(1, 11, 5);
        assertThat(out.take()).containsExactly("1<ReadReply11", "drop [1]");
        fired(6, 1);
        assertThat(out.take()).isEmpty();
        fired(7, 2);
        assertThat(out.take()).containsExactly("1<Fired101 7 [71]");
    }

    @Test
    void aCallThatIsNotAnsweredCannotBeAskedAgain() {
        reads(1, 10, 71, value("/a"));
        reads(1, 10, 72, value("/b"));
        assertThat(out.take()).containsExactly("1>Read10 watch1", "1<Refused10 INVALID");
        answered(1, 10, 5);
        fired(6, 1);
        assertThat(out.take()).containsExactly("1<ReadReply10", "1<Fired101 6 [71]");
    }

    // ---- R5.3: claims

    @Test
    void claimsOfManyClientsAreOneForThePathAndJudgedByWhatEachHasSeen() {
        claims(1, 40, claim(71, "/a", 5));
        claims(2, 41, claim(72, "/a", 9), claim(73, "/b", 3));
        claims(3, 42, claim(74, "/a", 6));
        assertThat(out.take()).containsExactly("claim1 [1 /a]");
        claimed(1, 20, 5);
        assertThat(out.take()).containsExactly("1<Watched40 20", "claim2 [1 /a, 2 /b]");
        claimed(2, 21, 7, 4);
        assertThat(out.take())
                .containsExactly(
                        "3<Fired103 21 [74]", "2<Fired102 21 [73]", "3<Watched42 21", "2<Watched41 21", "drop [2]");
        fired(22, 1);
        assertThat(out.take()).containsExactly("1<Fired101 22 [71]", "2<Fired102 22 [72]");
    }

    @Test
    void anEventThatComesBeforeTheAnswerToAClaimIsNotMissed() {
        armed(1, 10, 71, "/a");
        claims(2, 41, claim(72, "/a", 5));
        out.take();
        fired(9, 1);
        claimed(1, 9, 9);
        assertThat(out.take()).containsExactly("1<Fired101 9 [71]", "2<Fired102 9 [72]", "2<Watched41 9", "drop [1]");
    }

    @Test
    void aRefusedPageIsRefusedToAllWhoClaimedAndTheNextGoes() {
        claims(1, 40, claim(71, "/a", 5));
        claims(2, 41, claim(72, "/b", 5));
        out.take();
        frontEnd.downstream(1, new DownstreamFrame.WatchClaimsRefused(1, ErrorCode.BUSY, "too much"), 0);
        assertThat(out.take()).containsExactly("1<Refused40 BUSY", "claim2 [2 /b]");
        claims(1, 43, claim(71, "/a", 5));
        claimed(2, 20, 1);
        assertThat(out.take()).containsExactly("2<Watched41 20", "claim3 [3 /a]");
    }

    @Test
    void aStreamHasOnePageWaitingAndSpeaksForASession() {
        claims(1, 40, claim(71, "/a", 5));
        claims(1, 41, claim(72, "/a", 5));
        frontEnd.clientOpened(9, 0);
        claims(9, 42, claim(1, "/a", 5));
        assertThat(out.take()).containsExactly("claim1 [1 /a]", "1<Refused41 BUSY", "9<Hello", "9<Refused42 FORBIDDEN");
    }

    @Test
    void whoLeavesWhileItsClaimIsOnItsWayIsForgotten() {
        claims(1, 40, claim(71, "/a", 5));
        frontEnd.clientClosed(1);
        out.take();
        claimed(1, 20, 1);
        assertThat(out.take()).containsExactly("drop [1]");
    }

    /** What nobody waits for any more does not pile up, whoever claims and attaches again and again. */
    @Test
    void whatWasNotSentOfAPageGoesWithIt() {
        claims(3, 39, claim(1, "/z", 5));
        claims(2, 41, claim(72, "/b", 5));
        claims(1, 40, claim(71, "/a", 5), claim(73, "/b", 6));
        frontEnd.clientClosed(1);
        out.take();
        claimed(1, 20, 1);
        assertThat(out.take()).containsExactly("3<Watched39 20", "claim2 [2 /b]");
        claimed(2, 21, 1);
        assertThat(out.take()).containsExactly("2<Watched41 21");
    }

    /** R8.4: a page that is never answered is not counted among what waits for an answer. */
    @Test
    void whoAttachesAgainMayAskAsMuchAsBefore() {
        int room = FrontEndConfig.Bounds.defaults().maxInFlight();
        for (int i = 0; i <= room; i++) {
            claims(1, 40 + i, claim(71, "/a", 5));
            frontEnd.clientFrame(1, new ClientFrame.Attach(session(1), new byte[16], 2 + i), 0);
            deliver(1, new ServerFrame.Attached(session(1), 2 + i, 3));
        }
        out.take();
        claims(1, 9_000, claim(71, "/a", 5));
        assertThat(out.take()).isEmpty(); // it waits for the round that is on its way
        claimed(1, 20, 1);
        assertThat(out.take()).containsExactly("claim2 [1 /a]");
    }

    /** The rest of a page that was refused is not claimed. */
    @Test
    void whatIsLeftOfARefusedPageIsNotSent() {
        ClientFrame.WatchClaim[] all = new ClientFrame.WatchClaim[700];
        for (int i = 0; i < all.length; i++) {
            all[i] = claim(i + 1, "/" + "x".repeat(400) + i, 5);
        }
        claims(1, 40, all);
        assertThat(out.claims).hasSize(1);
        assertThat(out.claims.get(0).paths()).hasSizeLessThan(700);
        frontEnd.downstream(1, new DownstreamFrame.WatchClaimsRefused(1, ErrorCode.LIMIT, "no more fit"), 0);
        assertThat(out.claims).hasSize(1);
        assertThat(out.take()).contains("1<Refused40 LIMIT");
    }

    /** Pages of a thousand paths; a client's page is answered when all of it is judged. */
    @Test
    void roundsAreOfBoundedSize() {
        claims(3, 39, claim(1, "/z", 5));
        for (int stream = 1; stream <= 2; stream++) {
            ClientFrame.WatchClaim[] all = new ClientFrame.WatchClaim[600];
            for (int i = 0; i < all.length; i++) {
                all[i] = claim(i + 1, "/s" + stream + "/" + i, 5);
            }
            claims(stream, 40 + stream, all);
        }
        out.take();
        claimed(1, 20, 1);
        assertThat(out.claims).hasSize(2);
        assertThat(out.claims.get(1).paths()).hasSize(1_000);
        out.take();
        frontEnd.downstream(1, answer(out.claims.get(1), 21), 0);
        assertThat(out.take()).first().isEqualTo("1<Watched41 21");
        assertThat(out.claims.get(2).paths()).hasSize(200);
        frontEnd.downstream(1, answer(out.claims.get(2), 22), 0);
        assertThat(out.take()).containsExactly("2<Watched42 22");
    }

    /** R2.4: the next leader knows nothing, and is asked by the clients themselves. */
    @Test
    void withTheLinkGoesEverything() {
        armed(1, 10, 71, "/a");
        claims(2, 41, claim(72, "/a", 5));
        frontEnd.leaderKnown("r2", 4, 0);
        frontEnd.upstreamOpened(2);
        out.take();
        frontEnd.downstream(1, new DownstreamFrame.WatchesFired(9, List.of(1L)), 0);
        frontEnd.downstream(2, new DownstreamFrame.WatchesFired(9, List.of(1L)), 0);
        frontEnd.downstream(2, new DownstreamFrame.WatchesClaimed(1, 9, List.of(1L)), 0);
        assertThat(out.take()).isEmpty();
    }

    // ---- driving it

    private static SessionId session(long stream) {
        return new SessionId(100 + stream);
    }

    private static Query value(String path) {
        return new Query.GetValue(new NodePath(path));
    }

    private void attached(long stream) {
        frontEnd.clientOpened(stream, 0);
        frontEnd.clientFrame(stream, new ClientFrame.Attach(session(stream), new byte[16], 1), 0);
        deliver(stream, new ServerFrame.Attached(session(stream), 1, 3));
    }

    private void deliver(long stream, ServerFrame frame) {
        frontEnd.downstream(1, new DownstreamFrame.Deliver(stream, frame), 0);
    }

    private void reads(long stream, long callId, long watch, Query query) {
        frontEnd.clientFrame(stream, new ClientFrame.Read(callId, query, watch), 0);
    }

    private void answered(long stream, long callId, long revision) {
        deliver(
                stream,
                new ServerFrame.ReadReply(callId, new Answer.Failed(ErrorCode.NOT_FOUND, "nothing there"), revision));
    }

    private void armed(long stream, long callId, long watch, String path) {
        reads(stream, callId, watch, value(path));
        answered(stream, callId, 4);
        out.take();
    }

    private void fired(long revision, Long... watches) {
        frontEnd.downstream(1, new DownstreamFrame.WatchesFired(revision, List.of(watches)), 0);
    }

    private void fired(long revision, int watch) {
        fired(revision, Long.valueOf(watch));
    }

    private static ClientFrame.WatchClaim claim(long watch, String path, long seen) {
        return new ClientFrame.WatchClaim(watch, WatchKind.VALUE, new NodePath(path), seen);
    }

    private void claims(long stream, long callId, ClientFrame.WatchClaim... claims) {
        frontEnd.clientFrame(stream, new ClientFrame.Watch(callId, List.of(claims), List.of()), 0);
    }

    private void claimed(long page, long revision, long... newest) {
        List<Long> all = new ArrayList<>();
        for (long each : newest) {
            all.add(each);
        }
        frontEnd.downstream(1, new DownstreamFrame.WatchesClaimed(page, revision, all), 0);
    }

    private static DownstreamFrame answer(UpstreamFrame.ClaimWatches claim, long revision) {
        List<Long> newest = new ArrayList<>();
        claim.paths().forEach(path -> newest.add(1L));
        return new DownstreamFrame.WatchesClaimed(claim.page(), revision, newest);
    }

    private static final class Recorder implements FrontEnd.Output {
        private final List<String> log = new ArrayList<>();
        private final List<UpstreamFrame.ClaimWatches> claims = new ArrayList<>();

        List<String> take() {
            List<String> taken = List.copyOf(log);
            log.clear();
            return taken;
        }

        @Override
        public void toClient(long stream, ServerFrame frame) {
            String text = frame.getClass().getSimpleName();
            if (frame instanceof ServerFrame.WatchesFired fired) {
                text = "Fired" + fired.session() + " " + fired.revision() + " " + fired.watches();
            } else if (frame instanceof ServerFrame.ReadReply reply) {
                text += reply.callId();
            } else if (frame instanceof ServerFrame.Watched watched) {
                text += watched.callId() + " " + watched.revision();
            } else if (frame instanceof ServerFrame.Refused refused) {
                text += refused.id() + " " + refused.code();
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
            if (frame instanceof UpstreamFrame.ClaimWatches claim) {
                claims.add(claim);
                List<String> paths = new ArrayList<>();
                claim.paths().forEach(path -> paths.add(path.watch() + " " + path.path()));
                log.add("claim" + claim.page() + " " + paths);
            } else if (frame instanceof UpstreamFrame.DropWatches drop) {
                log.add("drop " + drop.watches());
            } else if (frame instanceof UpstreamFrame.StreamClosed closed) {
                log.add("closed " + closed.stream());
            } else if (frame instanceof UpstreamFrame.Forward forward) {
                String text = forward.frame().getClass().getSimpleName();
                if (forward.frame() instanceof ClientFrame.Read read) {
                    text += read.callId() + " watch" + read.watch();
                }
                log.add(forward.stream() + ">" + text);
            }
        }
    }
}
