package io.holdfast.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.fault.FaultKind;
import io.holdfast.chaos.fault.Round;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** N6: while a majority can work, no silence is longer than a fail-over. */
final class AvailabilityCheckTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int REPLICAS = 5;
    private static final Set<String> NONE = Set.of();

    private static Round round(
            Set<String> impaired, Set<String> absent, long syncDelayMillis, long fromSecond, long to) {
        return new Round(
                List.of(FaultKind.KILL_LEADER),
                List.of(fromSecond * SECOND),
                to * SECOND,
                impaired,
                absent,
                syncDelayMillis);
    }

    /** Writes that were answered at these seconds, each called a moment before. */
    private static NavigableMap<Long, Long> answeredAt(long... seconds) {
        NavigableMap<Long, Long> served = new TreeMap<>();
        for (long second : seconds) {
            served.put(second * SECOND + 2, second * SECOND + 1);
        }
        return served;
    }

    private static AvailabilityCheck.Result check(Round round, NavigableMap<Long, Long> served) {
        return AvailabilityCheck.check(List.of(round), served, new TreeSet<>(Set.of(12 * SECOND)), REPLICAS);
    }

    @Test
    void aCellThatGoesOnServingIsFine() {
        AvailabilityCheck.Result result =
                check(round(Set.of("r1", "r2"), NONE, 0, 10, 30), answeredAt(9, 15, 20, 25, 30));

        assertThat(result.findings()).isEmpty();
        assertThat(result.byKind().get(FaultKind.KILL_LEADER)).isEqualTo(new AvailabilityCheck.OfKind(1, 5_000, 0, 1));
    }

    @Test
    void silenceWhileAMajorityCouldWorkIsFoundAlsoWhenTheCellServedAfterwards() {
        assertThat(check(round(Set.of("r1"), NONE, 0, 10, 30), answeredAt(9, 20, 25, 29))
                        .findings())
                .extracting(Finding::promise)
                .containsExactly("N6");
    }

    @Test
    void silenceInTheMiddleAndAtTheEndIsFoundToo() {
        Round round = round(Set.of("r1"), NONE, 0, 10, 30);

        assertThat(check(round, answeredAt(11, 12, 22, 29)).findings()).hasSize(1);
        assertThat(check(round, answeredAt(11, 15, 20)).findings()).hasSize(1);
        assertThat(check(round, new TreeMap<>()).findings()).hasSize(1);
    }

    @Test
    void anAnswerToWhatWasCalledBeforeTheFaultShowsNothing() {
        NavigableMap<Long, Long> served = answeredAt(20, 25, 29);
        served.put(15 * SECOND, 9 * SECOND);

        assertThat(check(round(Set.of("r1"), NONE, 0, 10, 30), served).findings())
                .hasSize(1);
    }

    @Test
    void withoutAMajorityNothingIsAskedOfTheCell() {
        AvailabilityCheck.Result lost = check(round(Set.of("r1", "r2", "r3"), NONE, 0, 10, 40), answeredAt(9));
        assertThat(lost.findings()).isEmpty();
        assertThat(lost.spared()).isZero();
        assertThat(lost.byKind().get(FaultKind.KILL_LEADER).otherSilenceMillis())
                .isEqualTo(30_000);

        // one of them was still starting when the fault began
        AvailabilityCheck.Result starting = check(round(Set.of("r1", "r2"), Set.of("r3"), 0, 10, 40), answeredAt(9));
        assertThat(starting.findings()).isEmpty();
        assertThat(starting.spared()).isEqualTo(1);
        assertThat(starting.judged()).isZero();

        // it was one of those that were hit
        assertThat(check(round(Set.of("r1", "r2"), Set.of("r2"), 0, 10, 40), answeredAt(9))
                        .findings())
                .hasSize(1);
    }

    @Test
    void slowDisksOfAllHaveTheirOwnBound() {
        NavigableMap<Long, Long> served = answeredAt(20, 29);

        assertThat(check(round(NONE, NONE, 0, 10, 30), served).findings()).hasSize(1);
        assertThat(check(round(NONE, NONE, 500, 10, 30), served).findings()).isEmpty();
        assertThat(check(round(NONE, NONE, 50, 10, 30), served).findings()).hasSize(1);
        assertThat(check(round(NONE, NONE, 4_000, 10, 60), answeredAt(11)).findings())
                .hasSize(1);
    }

    @Test
    void eachFaultOfARoundHasTheTimeOfAFailOver() {
        Round two = new Round(
                List.of(FaultKind.KILL_LEADER, FaultKind.FREEZE_LEADER),
                List.of(10 * SECOND, 16 * SECOND),
                30 * SECOND,
                Set.of("r1", "r2"),
                NONE,
                0);

        assertThat(check(two, answeredAt(22, 26, 30)).findings()).isEmpty();
        assertThat(check(two, answeredAt(11, 25, 30)).findings()).hasSize(1);
        assertThat(check(two, answeredAt(22, 26, 30)).byKind().keySet())
                .containsExactlyInAnyOrder(FaultKind.KILL_LEADER, FaultKind.FREEZE_LEADER);
    }

    @Test
    void aCellOfOneCanSpareNone() {
        assertThat(round(Set.of("r1"), NONE, 0, 10, 20).mustServe(1)).isFalse();
        assertThat(round(NONE, NONE, 0, 10, 20).mustServe(1)).isTrue();
        assertThat(round(Set.of("r1"), NONE, 0, 10, 20).mustServe(2)).isFalse();
        assertThat(round(Set.of("r1"), NONE, 0, 10, 20).mustServe(3)).isTrue();
    }
}
