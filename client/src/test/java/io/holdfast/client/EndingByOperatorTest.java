package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.client.fake.FakeTransport;
import io.holdfast.client.fake.ManualClock;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** R3.6, C24: what an operator ends goes to the next when the application's listeners have returned, not before. */
@Timeout(120)
final class EndingByOperatorTest {
    private static final NodePath LOCK = new NodePath("/jobs/reindex");

    private final FakeCell cell = new FakeCell();
    private final FakeTransport network = new FakeTransport(cell, new ManualClock());
    private final HoldfastClient client = client();
    private final HoldfastClient next = client();
    private final CountDownLatch mayReturn = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);

    private HoldfastClient client() {
        return HoldfastClient.builder().endpoints("a").transport(() -> network).build();
    }

    @AfterEach
    void close() {
        mayReturn.countDown();
        client.close();
        next.close();
    }

    private void stop() {
        told.countDown();
        try {
            mayReturn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private SessionId session() {
        return client.session().orElseThrow().id();
    }

    /** A waiter's acquire that must not be answered before {@link #mayReturn}. */
    private void expectHandOver(CompletableFuture<LockHold> waiting) throws Exception {
        told.await();
        assertThat(client.admin().locks("/")).isNotNull(); // all that was on its way has arrived
        assertThat(waiting).isNotDone();
        mayReturn.countDown();
        assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
    }

    @Test
    void aBrokenHoldIsNotGrantedBeforeItsListenersHaveReturned() throws Exception {
        LockHold hold = client.lock(LOCK.value()).acquire();
        List<String> reasons = new ArrayList<>();
        hold.onLost((lost, reason) -> {
            reasons.add(reason);
            assertThat(lost.isHeld()).isFalse();
            assertThat(lost.stopWithin()).isPositive();
            stop();
        });
        CompletableFuture<LockHold> waiting = next.lock(LOCK.value()).acquireAsync();
        network.with(fake -> {
            fake.askToLetGo(LOCK);
            return 0;
        });
        expectHandOver(waiting);
        assertThat(reasons).containsExactly("broken by an operator");
        assertThat(hold.stopWithin()).isEqualTo(Duration.ZERO);
        assertThat(client.state()).isEqualTo(SessionState.SAFE);
    }

    /** Or a break would cost the whole session, which waits for all who were told. */
    @Test
    void onlyTheListenersOfWhatWasBrokenAreWaitedFor() throws Exception {
        LockHold busy = client.lock("/jobs/other").acquire();
        busy.onLost((lost, reason) -> stop());
        client.onState(change -> stop());
        client.lock(LOCK.value()).acquire();
        CompletableFuture<LockHold> waiting = next.lock(LOCK.value()).acquireAsync();
        network.with(fake -> {
            fake.askToLetGo(new NodePath("/jobs/other"));
            return 0;
        });
        told.await();
        network.with(fake -> {
            fake.askToLetGo(LOCK);
            return 0;
        });
        assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
    }

    @Test
    void permitsMembershipsAndSeveralLocksKnowHowMuchTimeIsLeft() throws Exception {
        Permit permit = client.semaphore("/permits", 1).acquire();
        Membership member = client.group("/group").join("me");
        MultiHold both = client.locks(client.lock("/one"), client.lock("/two")).acquire();
        assertThat(permit.stopWithin()).isZero();
        assertThat(member.stopWithin()).isZero();
        assertThat(both.stopWithin()).isZero();
        List<CompletableFuture<Duration>> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            left.add(new CompletableFuture<>());
        }
        permit.onLost((lost, reason) -> left.get(0).complete(lost.stopWithin()));
        member.onLost((lost, reason) -> left.get(1).complete(lost.stopWithin()));
        both.onLost((lost, which, reason) -> left.get(2).complete(lost.stopWithin()));
        network.with(fake -> {
            fake.askToLetGo(new NodePath("/permits"));
            fake.askToLetGo(new NodePath("/group"));
            fake.askToLetGo(new NodePath("/two"));
            return 0;
        });
        for (CompletableFuture<Duration> each : left) {
            assertThat(each.get(20, TimeUnit.SECONDS)).isPositive();
        }
        assertThat(both.holds().get(0).isHeld()).isTrue();
    }

    @Test
    void anOldSessionsListenerThatNeverReturnsHoldsNoLaterBreakUp() throws Exception {
        client.lock("/jobs/other").acquire().onLost((lost, reason) -> stop());
        network.with(fake -> {
            fake.expire(session());
            return 0;
        });
        told.await();
        client.newSession();
        client.lock(LOCK.value()).acquire();
        CompletableFuture<LockHold> waiting = next.lock(LOCK.value()).acquireAsync();
        network.with(fake -> {
            fake.askToLetGo(LOCK);
            return 0;
        });
        assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
    }

    @Test
    void anExpiredSessionIsNotEndedBeforeItsListenersHaveReturned() throws Exception {
        client.lock(LOCK.value()).acquire();
        client.onState(change -> {
            if (change.state() == SessionState.EXPIRED) {
                stop();
            }
        });
        CompletableFuture<LockHold> waiting = next.lock(LOCK.value()).acquireAsync();
        SessionId id = session();
        network.with(fake -> {
            fake.askToLetGo(id);
            return 0;
        });
        expectHandOver(waiting);
        assertThat(client.state()).isEqualTo(SessionState.EXPIRED);
    }

    @Test
    void aHoldWithoutListenersGoesAtOnceAndAFailingListenerHoldsNobodyUp() throws Exception {
        LockHold hold = client.lock(LOCK.value()).acquire();
        hold.onLost((lost, reason) -> {
            throw new IllegalStateException("a listener fails");
        });
        LockHold other = client.lock("/other").acquire();
        CompletableFuture<LockHold> waiting = next.lock(LOCK.value()).acquireAsync();
        CompletableFuture<LockHold> alsoWaiting = next.lock("/other").acquireAsync();
        network.with(fake -> {
            fake.askToLetGo(LOCK);
            fake.askToLetGo(new NodePath("/other"));
            return 0;
        });
        assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(alsoWaiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(other.isHeld()).isFalse();
    }
}
