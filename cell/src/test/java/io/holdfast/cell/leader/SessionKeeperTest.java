package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.SessionLease;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** R1.3, R3.2, R3.3, R3.5 on a manual clock that starts near the point where nanoseconds wrap. */
final class SessionKeeperTest {
    private static final long START = Long.MAX_VALUE - 20_000_000_000L;
    private static final SessionId A = new SessionId(1);
    private static final SessionId B = new SessionId(2);

    private final SessionKeeper keeper = new SessionKeeper();

    private static long at(double seconds) {
        return START + (long) (seconds * 1_000_000_000L);
    }

    @Test
    void aSilentSessionIsDueAfterItsLeaseAndNotBefore() {
        keeper.opened(A, 12_000, at(0));
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(at(12));
        assertThat(keeper.remainingMillis(A, at(4))).isEqualTo(8_000);
        assertThat(keeper.due(at(12) - 1)).isEmpty();
        assertThat(keeper.isExpiring(A)).isFalse();
        assertThat(keeper.due(at(12))).containsExactly(A);
        assertThat(keeper.isExpiring(A)).isTrue();
        assertThat(keeper.remainingMillis(A, at(12))).isZero();
    }

    @Test
    void renewingGivesAFullLeaseFromNow() {
        keeper.opened(A, 12_000, at(0));
        assertThat(keeper.renew(A, at(4))).isTrue();
        assertThat(keeper.renew(A, at(8))).isTrue();
        assertThat(keeper.due(at(19.9))).isEmpty();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(at(20));
        assertThat(keeper.due(at(20))).containsExactly(A);
    }

    /** R3.5: never for an expiring session; R3.2: from the mark on nothing renews it. */
    @Test
    void anExpiringOrUnknownSessionIsNeverRenewed() {
        keeper.opened(A, 12_000, at(0));
        keeper.due(at(12));
        assertThat(keeper.renew(A, at(12))).isFalse();
        assertThat(keeper.isExpiring(A)).isTrue();
        assertThat(keeper.renew(B, at(12))).isFalse();
        keeper.ended(A);
        assertThat(keeper.isExpiring(A)).isFalse();
        assertThat(keeper.renew(A, at(13))).isFalse();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** R2.8: KeepAlives that waited for a check are settled before the deadlines are looked at. */
    @Test
    void untilItIsFoundDueASessionCanBeRenewed() {
        keeper.opened(A, 12_000, at(0));
        assertThat(keeper.renew(A, at(12.5))).isTrue();
        assertThat(keeper.due(at(12.5))).isEmpty();
        assertThat(keeper.due(at(24.5))).containsExactly(A);
    }

    @Test
    void whatIsDueIsReturnedAgainEverySecondUntilItEnded() {
        keeper.opened(A, 12_000, at(0));
        keeper.opened(B, 12_500, at(0));
        assertThat(keeper.due(at(12))).containsExactly(A);
        assertThat(keeper.due(at(12.4))).isEmpty();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(at(12.5));
        assertThat(keeper.due(at(13))).containsExactly(B, A);
        assertThat(keeper.due(at(14))).containsExactly(A, B);
        keeper.ended(A);
        assertThat(keeper.due(at(15))).containsExactly(B);
        keeper.ended(B);
        assertThat(keeper.due(at(16))).isEmpty();
    }

    /** R3.3, R2.4: a new term forgets all, expiring marks too, and gives everybody a full lease. */
    @Test
    void takeoverStartsAllOver() {
        keeper.opened(A, 12_000, at(0));
        keeper.opened(B, 12_000, at(0));
        keeper.due(at(12));
        keeper.takeover(List.of(new SessionLease(A, 12_000, false)), at(13));
        assertThat(keeper.size()).isEqualTo(1);
        assertThat(keeper.isExpiring(A)).isFalse();
        assertThat(keeper.renew(B, at(13))).isFalse();
        assertThat(keeper.due(at(24.9))).isEmpty();
        assertThat(keeper.due(at(25))).containsExactly(A);
        keeper.clear();
        assertThat(keeper.due(at(99))).isEmpty();
    }

    /** R1.3: by the gap, at most by the lease; what is expiring stays so. */
    @Test
    void aPauseMovesDeadlinesByTheGapAtMostByTheLease() {
        keeper.opened(A, 12_000, at(0));
        keeper.opened(B, 4_000, at(0));
        keeper.paused(3_000_000_000L);
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(at(7));
        keeper.paused(50_000_000_000L);
        assertThat(keeper.due(at(10.9))).isEmpty();
        assertThat(keeper.due(at(11))).containsExactly(B);
        assertThat(keeper.remainingMillis(A, at(11))).isEqualTo(12_000);
        keeper.paused(50_000_000_000L);
        assertThat(keeper.isExpiring(B)).isTrue();
        assertThat(keeper.due(at(38.9))).containsOnly(B);
        assertThat(keeper.due(at(39))).contains(A);
    }

    /** R1.3: a renewal after a pause, when the deadline lies beyond a lease from now. */
    @Test
    void aDeadlineNeverMovesBack() {
        keeper.opened(A, 12_000, at(0));
        keeper.paused(12_000_000_000L);
        assertThat(keeper.renew(A, at(1))).isTrue();
        assertThat(keeper.due(at(23.9))).isEmpty();
        assertThat(keeper.due(at(24))).containsExactly(A);
        keeper.ended(A);
        keeper.opened(B, 12_000, at(30));
        keeper.opened(B, 4_000, at(30));
        assertThat(keeper.due(at(41.9))).isEmpty();
        assertThat(keeper.due(at(42))).containsExactly(B);
    }

    /** C22: no negative or giant remaining time. */
    @Test
    void remainingTimeIsBetweenNothingAndTheLease() {
        keeper.opened(A, 12_000, at(0));
        keeper.paused(12_000_000_000L);
        assertThat(keeper.remainingMillis(A, at(0))).isEqualTo(12_000);
        assertThat(keeper.remainingMillis(A, at(100))).isZero();
        assertThat(keeper.remainingMillis(B, at(0))).isZero();
    }

    /** Against a plain map of deadlines. */
    @Test
    void agreesWithAPlainMapOfDeadlines() {
        Random random = new Random(4);
        TreeMap<SessionId, Long> deadlines = new TreeMap<>();
        List<SessionId> expiring = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(20_000_000);
            long time = now;
            SessionId session = new SessionId(1 + random.nextInt(500));
            switch (random.nextInt(4)) {
                case 0 -> {
                    keeper.opened(session, 12_000, now);
                    if (!expiring.contains(session)) {
                        deadlines.putIfAbsent(session, now + 12_000_000_000L);
                    }
                }
                case 1, 2 -> {
                    boolean renewed = deadlines.computeIfPresent(session, (k, d) -> time + 12_000_000_000L) != null;
                    assertThat(keeper.renew(session, now)).isEqualTo(renewed);
                }
                default -> {
                    for (SessionId due : keeper.due(now)) {
                        Long deadline = deadlines.remove(due);
                        assertThat(deadline == null ? expiring.contains(due) : deadline - now <= 0)
                                .isTrue();
                        if (deadline != null) {
                            expiring.add(due);
                        }
                        if (random.nextBoolean()) {
                            expiring.remove(due);
                            keeper.ended(due);
                        }
                    }
                    assertThat(deadlines.values()).allMatch(deadline -> deadline - time > 0);
                }
            }
        }
        assertThat(keeper.size()).isEqualTo(deadlines.size() + expiring.size());
    }

    /** N4: 50,000 sessions renewed every 4 s of a 12 s lease; the heap stays as large as the sessions are many. */
    @Test
    void fiftyThousandSessionsAreCheap() {
        for (int i = 0; i < 50_000; i++) {
            keeper.opened(new SessionId(i), 12_000, at(0));
        }
        for (int second = 1; second < 120; second++) {
            for (int i = second % 4; i < 50_000; i += 4) {
                assertThat(keeper.renew(new SessionId(i), at(second))).isTrue();
            }
            assertThat(keeper.due(at(second))).isEmpty();
        }
        assertThat(keeper.due(at(131.5))).hasSize(50_000);
    }
}
