package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.DelayedPlace;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R4.6, R1.3. */
final class DelayKeeperTest {
    private static final long SECOND = 1_000_000_000L;
    private static final NodePath PLACE = new NodePath("/l/x-00000000000000000004");
    private static final DelayedPlace DELAYED = new DelayedPlace(PLACE, new FencingToken(4), 5_000);

    private final DelayKeeper keeper = new DelayKeeper();
    private final PauseDetector pauses = new PauseDetector();

    @Test
    void aDelayIsDueWhenItIsOverAndAgainUntilItEnded() {
        keeper.started(PLACE, new FencingToken(4), 5_000, 0);
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(5 * SECOND);
        assertThat(keeper.remainingMillis(PLACE, 2 * SECOND)).isEqualTo(3_000);
        assertThat(keeper.due(5 * SECOND - 1)).isEmpty();
        assertThat(keeper.due(5 * SECOND)).containsExactly(DELAYED);
        assertThat(keeper.due(6 * SECOND)).containsExactly(DELAYED);
        keeper.ended(new NodePath("/other"));
        keeper.ended(PLACE);
        assertThat(keeper.due(7 * SECOND)).isEmpty();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aNewLeaderStartsEachAgainInFull() {
        keeper.started(PLACE, new FencingToken(4), 5_000, 0);
        keeper.started(new NodePath("/other"), new FencingToken(5), 5_000, 0);
        keeper.takeover(List.of(DELAYED), 4 * SECOND);
        assertThat(keeper.due(9 * SECOND - 1)).isEmpty();
        assertThat(keeper.due(9 * SECOND)).containsExactly(DELAYED);
        keeper.clear();
        assertThat(keeper.due(99 * SECOND)).isEmpty();
    }

    @Test
    void aPauseMovesTheEndByTheGapAtMostByTheDelay() {
        keeper.started(PLACE, new FencingToken(4), 5_000, 0);
        keeper.paused(2 * SECOND);
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(7 * SECOND);
        keeper.paused(60 * SECOND);
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(12 * SECOND);
    }

    @Test
    void aTickThatComesMuchTooLateIsAPause() {
        assertThat(pauses.tick(10 * SECOND, 10 * SECOND)).isZero();
        assertThat(pauses.tick(10 * SECOND, 9 * SECOND)).isZero();
        assertThat(pauses.tick(0, PauseDetector.DEFAULT_TOLERATED_NANOS)).isZero();
        assertThat(pauses.tick(10 * SECOND, 13 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(pauses.tick(Long.MAX_VALUE, Long.MIN_VALUE + SECOND)).isEqualTo(SECOND + 1);
        assertThat(new PauseDetector(0).tick(1, 2)).isEqualTo(1);
    }
}
