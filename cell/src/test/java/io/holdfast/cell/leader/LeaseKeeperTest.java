package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.LeaseGrant;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** R1.3, R3.3, R7.1, R7.2. */
final class LeaseKeeperTest {
    private static final long SECOND = 1_000_000_000L;
    private static final LeaseName NAME = new LeaseName("a");
    private static final FencingToken TOKEN = new FencingToken(4);
    private static final LeaseGrant GRANT = new LeaseGrant(NAME, TOKEN, 10_000);

    private final LeaseKeeper keeper = new LeaseKeeper();

    @Test
    void aRenewalGivesAFullLeaseFromItsConfirmation() {
        keeper.granted(GRANT, 0);
        assertThat(keeper.renew(NAME, TOKEN, 3 * SECOND)).isTrue();
        assertThat(keeper.remainingMillis(NAME, 3 * SECOND)).isEqualTo(10_000);
        assertThat(keeper.due(13 * SECOND - 1)).isEmpty();
        assertThat(keeper.due(13 * SECOND)).containsExactly(GRANT);
        assertThat(keeper.due(13 * SECOND)).isEmpty();
        assertThat(keeper.due(14 * SECOND)).containsExactly(GRANT); // the proposal may have been lost
        keeper.ended(NAME, TOKEN);
        assertThat(keeper.due(20 * SECOND)).isEmpty();
        assertThat(keeper.size()).isZero();
    }

    /** Judged when confirming, not when the renewal arrived; nothing brings it back. */
    @Test
    void whatHasPassedIsNotRenewedAnyMore() {
        keeper.granted(GRANT, 0);
        assertThat(keeper.renew(NAME, TOKEN, 10 * SECOND)).isFalse();
        keeper.paused(5 * SECOND, 10 * SECOND); // a pause extends what is not over
        assertThat(keeper.renew(NAME, TOKEN, 10 * SECOND)).isFalse();
        assertThat(keeper.isExpiring(NAME, 0)).isTrue();
        assertThat(keeper.remainingMillis(NAME, 0)).isZero();
        assertThat(keeper.due(10 * SECOND)).containsExactly(GRANT);
    }

    /** R2.8: the check that an expiry rests on began when the deadline had passed, also if a renewal had moved it. */
    @Test
    void whatIsSettledIsNotNamedAsOfATimeBeforeItsDeadline() {
        keeper.granted(GRANT, 0);
        keeper.renew(NAME, TOKEN, 3 * SECOND);
        assertThat(keeper.isExpiring(NAME, 13 * SECOND)).isTrue();
        assertThat(keeper.due(12 * SECOND)).isEmpty();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(13 * SECOND);
        assertThat(keeper.due(13 * SECOND)).containsExactly(GRANT);
    }

    @Test
    void anotherTokenIsNotRenewedAndItsEndEndsNothing() {
        keeper.granted(GRANT, 0);
        assertThat(keeper.renew(NAME, new FencingToken(3), SECOND)).isFalse();
        assertThat(keeper.renew(new LeaseName("b"), TOKEN, SECOND)).isFalse();
        keeper.ended(NAME, new FencingToken(3));
        assertThat(keeper.renew(NAME, TOKEN, SECOND)).isTrue();
        keeper.ended(NAME, TOKEN);
        assertThat(keeper.renew(NAME, TOKEN, SECOND)).isFalse(); // released: never revived
        LeaseGrant next = new LeaseGrant(NAME, new FencingToken(9), 1_000);
        keeper.granted(next, 2 * SECOND);
        assertThat(keeper.due(3 * SECOND)).containsExactly(next);
    }

    @Test
    void aTakeoverGivesEveryHoldAFullLease() {
        keeper.granted(GRANT, 0);
        keeper.granted(new LeaseGrant(new LeaseName("gone"), TOKEN, 10_000), 0);
        keeper.takeover(List.of(GRANT), 9 * SECOND);
        assertThat(keeper.due(19 * SECOND - 1)).isEmpty();
        assertThat(keeper.due(19 * SECOND)).containsExactly(GRANT);
    }

    @Test
    void aPauseMovesDeadlinesByTheGapAtMostByTheLease() {
        keeper.granted(GRANT, 0);
        keeper.paused(2 * SECOND, 2 * SECOND);
        assertThat(keeper.nextDeadlineNanos()).isLessThanOrEqualTo(12 * SECOND);
        assertThat(keeper.due(12 * SECOND - 1)).isEmpty();
        keeper.paused(60 * SECOND, 70 * SECOND); // longer than the lease: a full one from now
        assertThat(keeper.due(80 * SECOND - 1)).isEmpty();
        assertThat(keeper.due(80 * SECOND)).containsExactly(GRANT);
    }

    /** C118: never more than the lease, never negative; R7.2: callers do not return together. */
    @Test
    void aSuggestedWaitIsShortDrawnAndNeverAboveTheLease() {
        Random random = new Random(1);
        keeper.granted(GRANT, 0);
        for (long now = 0; now <= 11 * SECOND; now += SECOND / 10) {
            long wait = keeper.retryAfterMillis(NAME, now, bound -> Math.floorMod(random.nextLong(), bound));
            assertThat(wait).isBetween(LeaseKeeper.MIN_RETRY_MILLIS / 2, LeaseKeeper.MAX_RETRY_MILLIS);
            assertThat(wait)
                    .isLessThanOrEqualTo(Math.max(LeaseKeeper.MIN_RETRY_MILLIS, keeper.remainingMillis(NAME, now)));
            keeper.isExpiring(NAME, now);
        }
        assertThat(keeper.retryAfterMillis(NAME, 0, bound -> 0))
                .isNotEqualTo(keeper.retryAfterMillis(NAME, 0, bound -> bound - 1));
    }
}
