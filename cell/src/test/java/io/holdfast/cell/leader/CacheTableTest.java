package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.SessionLease;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R6.2–R6.6 at the leader's table of who caches what. */
class CacheTableTest {
    private static final long MILLI = 1_000_000L;
    private static final long LEASE_MILLIS = 12_000;
    private static final long LEASE = LEASE_MILLIS * MILLI;
    private static final SessionId A = new SessionId(1);
    private static final SessionId B = new SessionId(2);
    private static final NodePath X = new NodePath("/x");
    private static final NodePath Y = new NodePath("/y");

    private final CacheTable table = new CacheTable(new CacheTable.Bounds(3, 2, 4));
    private long now = 1_000 * MILLI;

    private void lease(SessionId session) {
        assertThat(table.renew(session, LEASE_MILLIS, now)).isTrue();
    }

    private List<CacheTable.Invalidation> invalidate(NodePath... paths) {
        return table.invalidate(List.of(paths), now);
    }

    @Test
    void whoCachesAPathIsToldOnceAndAwaitedUntilItHasAcknowledged() {
        lease(A);
        lease(B);
        table.register(A, X);
        table.register(B, X);
        List<CacheTable.Invalidation> told = invalidate(X);
        assertThat(told).extracting(CacheTable.Invalidation::session).containsExactly(A, B);
        assertThat(invalidate(X)).isEmpty(); // R6.3: one round only
        assertThat(table.isAwaited(X)).isTrue();
        table.acknowledged(A, told.get(0).number());
        assertThat(table.takeFreed()).isFalse();
        table.acknowledged(B, told.get(1).number());
        assertThat(table.takeFreed()).isTrue();
        assertThat(table.isCached(X)).isFalse();
    }

    @Test
    void anAcknowledgementCoversAllBeforeItAndNothingAfterIt() {
        lease(A);
        table.register(A, X);
        table.register(A, Y);
        long first = invalidate(X).get(0).number();
        long second = invalidate(Y).get(0).number();
        table.acknowledged(A, first - 1);
        assertThat(table.isAwaited(X)).isTrue();
        table.acknowledged(A, first);
        assertThat(table.isAwaited(X)).isFalse();
        assertThat(table.isAwaited(Y)).isTrue();
        table.acknowledged(A, second);
        assertThat(table.isAwaited(Y)).isFalse();
    }

    /** R6.3: so a write waits at most one lease, whatever KeepAlives come meanwhile. */
    @Test
    void theCacheLeaseIsNotExtendedWhileSomethingIsUnacknowledged() {
        lease(A);
        table.register(A, X);
        now += 4_000 * MILLI;
        lease(A);
        long number = invalidate(X).get(0).number();
        now += 4_000 * MILLI;
        assertThat(table.renew(A, LEASE_MILLIS, now)).isFalse();
        assertThat(table.register(A, Y)).isFalse(); // nor may it cache anything more
        assertThat(table.nextDeadlineNanos()).isEqualTo(now + LEASE - 4_000 * MILLI);
        now += LEASE - 4_000 * MILLI - 1;
        table.lapse(now);
        assertThat(table.isAwaited(X)).isTrue();
        now++;
        table.lapse(now);
        assertThat(table.isAwaited(X)).isFalse();
        assertThat(table.takeFreed()).isTrue();
        assertThat(table.renew(A, LEASE_MILLIS, now)).isFalse(); // still not acknowledged
        table.acknowledged(A, number);
        lease(A);
        assertThat(table.register(A, Y)).isTrue();
    }

    @Test
    void withoutACacheLeaseNobodyIsWaitedForButHasToAcknowledge() {
        table.register(A, X);
        long number = invalidate(X).get(0).number();
        assertThat(table.isAwaited(X)).isFalse();
        assertThat(table.renew(A, LEASE_MILLIS, now)).isFalse();
        table.acknowledged(A, number);
        lease(A);
    }

    /** R6.4: a client empties its cache before it attaches elsewhere. */
    @Test
    void aLaterAttachmentIsAsGoodAsAnAcknowledgement() {
        lease(A);
        table.register(A, X);
        table.register(A, Y);
        invalidate(X);
        table.attached(A);
        assertThat(table.takeFreed()).isTrue();
        assertThat(table.isCached(X)).isFalse();
        assertThat(table.isCached(Y)).isFalse();
        assertThat(table.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(table.size()).isZero();
        lease(A);
    }

    @Test
    void theEndOfASessionFreesWhatWaitsForIt() {
        lease(A);
        table.register(A, X);
        invalidate(X);
        table.ended(A);
        assertThat(table.takeFreed()).isTrue();
        assertThat(table.unacknowledged(now)).isEmpty();
    }

    /** R6.6: acknowledged, ended, or one lease over, each of them. */
    @Test
    void afterATakeoverWritesAreHeldUntilAllOldCachesAreOver() {
        SessionId none = new SessionId(3);
        SessionId slow = new SessionId(4);
        table.takeover(
                List.of(
                        new SessionLease(A, LEASE_MILLIS, true),
                        new SessionLease(B, LEASE_MILLIS, true),
                        new SessionLease(slow, 4_000, true),
                        new SessionLease(none, 60_000, false)),
                now);
        assertThat(table.holdsWrites()).isTrue();
        assertThat(table.renew(A, LEASE_MILLIS, now)).isFalse();
        assertThat(table.register(A, X)).isFalse();
        table.attached(A); // says nothing of other leaders: it may have been sent long ago (ADR 0014, history 2)
        assertThat(table.renew(A, LEASE_MILLIS, now)).isFalse();
        table.acknowledgedTerm(A);
        lease(A);
        table.ended(B);
        assertThat(table.holdsWrites()).isTrue();
        assertThat(table.nextDeadlineNanos()).isEqualTo(now + 4_000 * MILLI);
        now += 4_000 * MILLI;
        table.lapse(now);
        assertThat(table.holdsWrites()).isFalse();
        assertThat(table.takeFreed()).isTrue();
        assertThat(table.renew(slow, 4_000, now)).isFalse();
        table.acknowledgedTerm(slow);
        assertThat(table.renew(slow, 4_000, now)).isTrue();
    }

    @Test
    void itHoldsNoMoreThanItsLimits() {
        NodePath z = new NodePath("/z");
        assertThat(table.register(A, X)).isTrue();
        assertThat(table.register(A, X)).isTrue();
        assertThat(table.register(A, Y)).isTrue();
        assertThat(table.register(A, z)).isFalse(); // of one session
        assertThat(table.register(B, z)).isTrue();
        assertThat(table.register(B, new NodePath("/w"))).isFalse(); // paths
        assertThat(table.register(B, X)).isTrue();
        assertThat(table.register(new SessionId(5), X)).isFalse(); // in all
        assertThat(table.size()).isEqualTo(4);
        assertThat(table.cachedPaths()).isEqualTo(3);
    }

    @Test
    void whoIsWaitedForAndSinceWhenIsShown() {
        lease(A);
        table.register(A, X);
        table.register(A, Y);
        assertThat(table.oldestAwaitedNanos()).isEqualTo(Long.MAX_VALUE);
        invalidate(X);
        long toldAt = now;
        now += 1_000 * MILLI;
        invalidate(Y);
        assertThat(table.unacknowledged(now))
                .containsExactly(new CacheTable.Unacknowledged(A, 2, toldAt, toldAt + LEASE));
        assertThat(table.oldestAwaitedNanos()).isEqualTo(toldAt);
    }

    /** A monotonic clock's number may wrap. */
    @Test
    void itCountsOnAcrossTheEndOfTheNumbers() {
        now = Long.MAX_VALUE - 1_000 * MILLI;
        lease(A);
        table.register(A, X);
        invalidate(X);
        table.lapse(now + LEASE - 1);
        assertThat(table.isAwaited(X)).isTrue();
        table.lapse(now + LEASE);
        assertThat(table.isAwaited(X)).isFalse();
    }
}
