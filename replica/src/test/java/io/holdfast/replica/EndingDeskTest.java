package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R3.6 and ADR 0010 at the leader: told, stopped, and ended only when its client has let go or its lease is over. */
class EndingDeskTest {
    private static final long MILLI = TestCluster.MILLI;

    private final TestCluster cluster = TestCluster.started(3);
    private TestReplica leader = cluster.leader();
    private final TestSession holder = TestSession.opened(cluster, leader, 1);
    private final TestSession waiter = TestSession.opened(cluster, leader, 2);
    private final TestSession operator = new TestSession(cluster, leader, 1, 3);
    private long calls = 1;
    private long sends = 100;

    private Outcome ask(Operation operation) {
        operator.send(new ClientFrame.OneShot(calls++, operation));
        return operator.one(ServerFrame.Reply.class).outcome();
    }

    private Answer.Places places() {
        operator.send(new ClientFrame.Read(calls++, new Query.ListPlaces(NodePath.ROOT, NodePath.ROOT, 100)));
        return (Answer.Places) operator.one(ServerFrame.ReadReply.class).answer();
    }

    private boolean renewed(TestSession session) {
        session.send(new ClientFrame.KeepAlive(sends++));
        return session.one(ServerFrame.KeepAliveAck.class).renewed();
    }

    private static Operation breaking(Outcome.Placed place) {
        return new Operation.BreakPlace(place.place(), place.token());
    }

    private static Ending ending(TestSession session, Outcome.Placed place) {
        return new Ending.OfPlace(session.session, place.place(), place.token());
    }

    private void keepAlive(TestSession session, long millis) {
        for (long passed = 0; passed < millis; passed += 2_000) {
            cluster.runFor(2_000 * MILLI);
            renewed(session);
        }
    }

    @Test
    void aBrokenHoldGoesWhenItsClientHasLetGoAndItsSessionLivesOn() {
        Outcome.Placed held = holder.acquire("/l");
        waiter.acquire("/l");
        Outcome.BeingEnded asked = (Outcome.BeingEnded) ask(breaking(held));
        assertThat(asked.session()).isEqualTo(holder.session);
        assertThat(asked.clientName()).isEqualTo("test");
        assertThat(asked.acknowledged()).isFalse();
        assertThat(asked.waitMillis()).isBetween(1L, 12_000L);
        assertThat(holder.one(ServerFrame.EndingNotice.class).ending()).isEqualTo(ending(holder, held));
        assertThat(renewed(holder)).isFalse();
        assertThat(places().places().get(0).ending()).isTrue();
        assertThat(places().places().get(1).ending()).isFalse();
        assertThat(waiter.received()).isEmpty();

        holder.send(new ClientFrame.EndingAck(ending(holder, held)));
        waiter.one(ServerFrame.Granted.class);
        assertThat(holder.one(ServerFrame.PlaceRemoved.class).place()).isEqualTo(held.place());
        assertThat(renewed(holder)).isTrue();
        assertThat(ask(breaking(held)))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_FOUND));
        assertThat(leader.meter.endedByOperators).isZero();
    }

    @Test
    void withoutAnAcknowledgementTheWholeSessionEndsWhenItsLeaseIsOver() {
        Outcome.Placed held = holder.acquire("/l");
        waiter.acquire("/l");
        ask(breaking(held));
        holder.received();
        for (int second = 2; second <= 10; second += 2) {
            cluster.runFor(2_000 * MILLI);
            assertThat(renewed(holder)).isFalse(); // its KeepAlives still come
            renewed(waiter);
            assertThat(waiter.received()).isEmpty();
        }
        cluster.runFor(2_500 * MILLI);
        waiter.one(ServerFrame.Granted.class);
        assertThat(holder.one(ServerFrame.SessionEnded.class).reason())
                .isEqualTo("its lease ran out while an operator broke its place " + held.place());
        assertThat(leader.meter.endedByOperators).isEqualTo(1);
        assertThat(leader.meter.leasesRunOut).isZero();
    }

    @Test
    void anExpiredSessionEndsWhenItsClientHasLetGo() {
        holder.acquire("/l");
        waiter.acquire("/l");
        ask(new Operation.EndSession(holder.session));
        Ending ending = new Ending.OfSession(holder.session);
        assertThat(holder.one(ServerFrame.EndingNotice.class).ending()).isEqualTo(ending);
        assertThat(renewed(holder)).isFalse();
        assertThat(((Outcome.BeingEnded) ask(new Operation.EndSession(holder.session))).waitMillis())
                .isPositive();
        assertThat(holder.received()).isEmpty(); // asked again, told once
        holder.send(new ClientFrame.EndingAck(ending));
        waiter.one(ServerFrame.Granted.class);
        assertThat(holder.one(ServerFrame.SessionEnded.class).reason()).isEqualTo("expired by an operator");
        assertThat(leader.meter.endedByOperators).isEqualTo(1);
    }

    @Test
    void theWordOfAnotherStreamOrSessionCountsForNothing() {
        Outcome.Placed held = holder.acquire("/l");
        waiter.acquire("/l");
        ask(breaking(held));
        waiter.send(new ClientFrame.EndingAck(ending(holder, held)));
        operator.send(new ClientFrame.EndingAck(ending(holder, held)));
        cluster.runFor(2_000 * MILLI);
        assertThat(waiter.received()).isEmpty();
        assertThat(places().places()).hasSize(2);
    }

    /** A client that moves is told where it goes; what its old stream says counts no more. */
    @Test
    void whoAttachesElsewhereIsToldThere() {
        Outcome.Placed held = holder.acquire("/l");
        ask(breaking(held));
        TestSession moved = new TestSession(cluster, leader, 1, 9);
        moved.session = holder.session;
        moved.send(new ClientFrame.Attach(holder.session, holder.secret, 2));
        List<ServerFrame> told = moved.received();
        assertThat(told).hasSize(2);
        assertThat(told.get(1)).isInstanceOf(ServerFrame.EndingNotice.class);
        holder.send(new ClientFrame.EndingAck(ending(holder, held)));
        cluster.runFor(1_500 * MILLI);
        assertThat(places().places()).hasSize(1);
        moved.send(new ClientFrame.EndingAck(ending(holder, held)));
        cluster.runFor(100 * MILLI);
        assertThat(places().places()).isEmpty();
    }

    /** ADR 0010, history 4. */
    @Test
    void aReleaseMeanwhileEndsTheBreakToo() {
        Outcome.Placed held = holder.acquire("/l");
        ask(breaking(held));
        holder.received();
        holder.call(new Operation.Release(held.place(), held.token()));
        assertThat(renewed(holder)).isTrue();
        holder.send(new ClientFrame.EndingAck(ending(holder, held)));
        keepAlive(holder, 14_000);
        assertThat(holder.acquire("/l").held()).isTrue();
    }

    @Test
    void aTokenOrPlaceThatIsNotThereIsRefused() {
        Outcome.Placed held = holder.acquire("/l");
        Operation[] wrong = {
            new Operation.BreakPlace(held.place(), new FencingToken(held.token().value() + 1)),
            new Operation.BreakPlace(new NodePath("/l"), held.token()),
            new Operation.BreakPlace(new NodePath("/none"), held.token()),
            new Operation.EndSession(new SessionId(999))
        };
        for (Operation operation : wrong) {
            assertThat(ask(operation))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_FOUND));
        }
        assertThat(renewed(holder)).isTrue();
        assertThat(holder.call(breaking(held))).isInstanceOf(Outcome.Failed.class); // not under a session
    }

    @Test
    void aPlaceInItsLockDelayGoesAtOnce() {
        Operation delayed = new Operation.Acquire(new NodePath("/l"), LockMode.EXCLUSIVE, false, 60_000, new byte[0]);
        Outcome.Placed held = (Outcome.Placed) holder.call(delayed);
        waiter.acquire("/l");
        keepAlive(waiter, 14_000); // the holder's lease runs out
        assertThat(places().places().get(0).session()).isNull();
        Outcome.BeingEnded asked = (Outcome.BeingEnded) ask(breaking(held));
        assertThat(asked.session()).isNull();
        waiter.one(ServerFrame.Granted.class);
    }

    /** R2.4: the next leader knows of nothing, gives a full lease, and waits for nobody. */
    @Test
    void aNewLeaderHasForgottenIt() {
        Outcome.Placed held = holder.acquire("/l");
        ask(breaking(held));
        cluster.crash(leader);
        cluster.runUntil(() -> cluster.replicas.stream().anyMatch(one -> one.isUp() && one.isServing()));
        TestReplica next = cluster.leader();
        TestSession again = new TestSession(cluster, next, 1, 1);
        again.session = holder.session;
        again.send(new ClientFrame.Attach(holder.session, holder.secret, 2));
        again.one(ServerFrame.Attached.class);
        assertThat(renewed(again)).isTrue();
        again.send(new ClientFrame.EndingAck(ending(holder, held)));
        cluster.runFor(1_500 * MILLI);
        assertThat(again.received()).isEmpty();
        again.nextId = holder.nextId;
        assertThat(((Outcome.Released) again.call(new Operation.Release(held.place(), held.token()))).removed())
                .isTrue(); // which the client repeats until it is answered
    }
}
