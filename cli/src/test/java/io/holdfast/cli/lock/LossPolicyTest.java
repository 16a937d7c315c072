package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.lock.LossPolicy.Action;
import io.holdfast.cli.lock.LossPolicy.OnLost;
import io.holdfast.cli.process.ChildLease;
import org.junit.jupiter.api.Test;

/** When the child is told to end, and when it is made to (C30). */
final class LossPolicyTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void termComesKillAfterBeforeTheLeaseEndAndKillAtIt() {
        LossPolicy policy = new LossPolicy(OnLost.term, 2 * SECOND);

        assertThat(policy.at(12 * SECOND)).isEqualTo(Action.RUN);
        assertThat(policy.at(2 * SECOND + 1)).isEqualTo(Action.RUN);
        assertThat(policy.at(2 * SECOND)).isEqualTo(Action.TERM);
        assertThat(policy.at(1)).isEqualTo(Action.TERM);
        assertThat(policy.at(0)).isEqualTo(Action.KILL);
        assertThat(policy.nanosToNextAction(12 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(policy.nanosToNextAction(SECOND)).isEqualTo(SECOND);
        assertThat(policy.watchdogLease(12 * SECOND))
                .as("the watchdog kills a little earlier")
                .isEqualTo(new ChildLease(10 * SECOND, 2 * SECOND - SECOND / 5));
    }

    @Test
    void killComesWhenTermWouldBeDue() {
        LossPolicy policy = new LossPolicy(OnLost.kill, 2 * SECOND);

        assertThat(policy.at(2 * SECOND + 1)).isEqualTo(Action.RUN);
        assertThat(policy.at(2 * SECOND)).isEqualTo(Action.KILL);
        assertThat(policy.watchdogLease(12 * SECOND)).isEqualTo(new ChildLease(10 * SECOND, 0));
    }

    @Test
    void theWatchdogIsDoneInTimeHoweverShortItsPeriodOfGrace() {
        long margin = LossPolicy.WATCHDOG_MARGIN_NANOS;
        for (long killAfter : new long[] {0, SECOND / 100, SECOND / 10, SECOND / 2, 3 * SECOND}) {
            for (OnLost onLost : new OnLost[] {OnLost.term, OnLost.kill}) {
                ChildLease lease = new LossPolicy(onLost, killAfter).watchdogLease(12 * SECOND);
                assertThat(lease.termNanos() + lease.killAfterNanos())
                        .as("%s, %d", onLost, killAfter)
                        .isLessThanOrEqualTo(12 * SECOND - margin);
            }
        }
        assertThat(new LossPolicy(OnLost.term, 0).watchdogLease(1)).isEqualTo(new ChildLease(0, 0));
    }

    @Test
    void ignoreOnlyNotesTheLoss() {
        LossPolicy policy = new LossPolicy(OnLost.ignore, 2 * SECOND);

        assertThat(policy.at(SECOND)).isEqualTo(Action.RUN);
        assertThat(policy.at(0)).isEqualTo(Action.NOTE_LOSS);
        assertThat(policy.watchdogLease(SECOND)).isNull();
    }

    @Test
    void withoutTimeBetweenThemKillFollowsTermAtOnce() {
        LossPolicy policy = new LossPolicy(OnLost.term, 0);

        assertThat(policy.at(1)).isEqualTo(Action.RUN);
        assertThat(policy.at(0)).isEqualTo(Action.KILL);
    }
}
