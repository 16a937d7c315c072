package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A front end that is about to end asks its clients to move (ADR 0019, issue 5). */
final class MovingTest {
    private final Bench bench = new Bench();

    private static ServerFrame draining(long spreadMillis) {
        return new ServerFrame.Draining("bye", spreadMillis);
    }

    private static Outcome written() {
        return new Outcome.Written(new NodePath("/a"), 0, 9, true);
    }

    @Test
    void anIdleClientMovesAtOnceAndIsNeverInJeopardy() {
        bench.safe();
        int first = bench.endpoint;
        Hold hold = bench.held(4);
        bench.clear().frame(draining(0));
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.of(SessionAction.OpenStream.class)).hasSize(1);
        assertThat(bench.endpoint).isNotEqualTo(first);
        bench.attached().confirm();
        assertThat(hold.isHeldAt(bench.now())).isTrue();
        assertThat(bench.states()).isEmpty();
    }

    /** The random source of the bench draws 0, a real one anything within the spread. */
    @Test
    void eachMovesAtATimeOfItsOwn() {
        Moving moving = new Moving();
        moving.asked(2_000, bound -> bound - 1, 0);
        assertThat(moving.isDue(1_999_999_999L)).isFalse();
        assertThat(moving.isDue(2_000_000_000L)).isTrue();
        moving.asked(0, bound -> 0, 1_000); // said again: it stays as it was
        assertThat(moving.nextDeadline(1_000)).isEqualTo(2_000_000_000L);
    }

    /** What comes over the wire is not trusted. */
    @Test
    void aSpreadThatMakesNoSenseIsBounded() {
        Moving moving = new Moving();
        moving.asked(Long.MAX_VALUE, bound -> bound - 1, 0);
        assertThat(moving.isDue(10_000_000_000L)).isTrue();
        moving.reset();
        moving.asked(-5, bound -> bound - 1, 0);
        assertThat(moving.isDue(0)).isTrue();
    }

    /** R2.7: an answer that is on its way is taken, and what is asked meanwhile goes to the next endpoint. */
    @Test
    void whatIsAskedIsAnsweredBeforeItMoves() {
        bench.safe().put("/a");
        bench.clear().frame(draining(0));
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.put("/b");
        assertThat(bench.operations()).isEmpty();
        long asked = 1;
        bench.frame(new ServerFrame.Reply(asked, written()));
        assertThat(bench.of(SessionAction.Complete.class)).hasSize(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        bench.attached().confirm();
        assertThat(bench.sent(ClientFrame.Request.class))
                .extracting(ClientFrame.Request::requestId)
                .containsExactly(2L);
    }

    /** R2.7: the same id, on the next stream. */
    @Test
    void whatIsNotAnsweredKeepsItsId() {
        bench.safe().put("/a");
        bench.clear().frame(draining(0));
        bench.pass(499);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        bench.pass(1);
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        bench.attached().confirm();
        assertThat(bench.sent(ClientFrame.Request.class))
                .extracting(ClientFrame.Request::requestId)
                .containsExactly(1L);
    }

    /** Its fate would be unknown: it stays as long as the other end does (R2.7). */
    @Test
    void aOneShotIsWaitedFor() {
        bench.safe();
        Operation put = new Operation.Put(new NodePath("/a"), new byte[1], Operation.ANY_VERSION);
        bench.on(new SessionEvent.OneShot(bench.nextCall(), put, 10_000_000_000L));
        bench.clear().frame(draining(0));
        bench.pass(1_500);
        assertThat(bench.of(SessionAction.CloseStream.class)).isEmpty();
        long call = 1L << 48;
        bench.frame(new ServerFrame.Reply(call, written()));
        assertThat(bench.of(SessionAction.CloseStream.class)).hasSize(1);
        assertThat(bench.of(SessionAction.Fail.class)).isEmpty();
    }

    @Test
    void theNextStreamIsNotLeftForIt() {
        for (List<String> endpoints : List.of(List.of("a:1"), List.of("a:1", "b:2"))) {
            Bench moved = new Bench(endpoints);
            moved.safe().frame(draining(0));
            moved.attached().confirm().clear();
            moved.pass(1_000);
            assertThat(moved.of(SessionAction.CloseStream.class)).isEmpty();
        }
    }
}
