package io.holdfast.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.fault.FaultKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EvidenceTest {
    private static final List<FaultKind> KINDS = List.of(FaultKind.KILL_LEADER, FaultKind.POWER_CUT_ALL);

    private static List<String> faults(Map<FaultKind, Integer> done, Map<FaultKind, Integer> reached) {
        return new Evidence()
                .faults(KINDS, kind -> done.getOrDefault(kind, 0), kind -> reached.getOrDefault(kind, 0))
                .missing();
    }

    @Test
    void aRunWhoseFaultsAllHadAnEffectShowsSomething() {
        assertThat(faults(
                        Map.of(FaultKind.KILL_LEADER, 3, FaultKind.POWER_CUT_ALL, 2),
                        Map.of(FaultKind.KILL_LEADER, 1, FaultKind.POWER_CUT_ALL, 2)))
                .isEmpty();
    }

    @Test
    void aKindThatNeverHadAnEffectInARunThatTriedAllShowsNothing() {
        assertThat(faults(
                        Map.of(FaultKind.KILL_LEADER, 1, FaultKind.POWER_CUT_ALL, 1), Map.of(FaultKind.KILL_LEADER, 1)))
                .containsExactly("power-cut-all was tried 1 times and had no effect");
    }

    @Test
    void inAShortRunOneAttemptIsExcusedAndMoreAreNot() {
        Map<FaultKind, Integer> reached = Map.of(FaultKind.KILL_LEADER, 1);
        List<FaultKind> three = List.of(FaultKind.KILL_LEADER, FaultKind.POWER_CUT_ALL, FaultKind.KILL_ALL);

        assertThat(missing(three, Map.of(FaultKind.KILL_LEADER, 1, FaultKind.POWER_CUT_ALL, 1), reached))
                .isEmpty();
        assertThat(missing(three, Map.of(FaultKind.KILL_LEADER, 1, FaultKind.POWER_CUT_ALL, 2), reached))
                .hasSize(1);
    }

    private static List<String> missing(
            List<FaultKind> kinds, Map<FaultKind, Integer> done, Map<FaultKind, Integer> reached) {
        return new Evidence()
                .faults(kinds, kind -> done.getOrDefault(kind, 0), kind -> reached.getOrDefault(kind, 0))
                .missing();
    }

    @Test
    void aRunWithoutAnyEffectShowsNothing() {
        assertThat(faults(Map.of(), Map.of())).containsExactly("no fault had an effect");
    }

    @Test
    void aShimThatCountedNothingWasNotLoaded() {
        assertThat(new Evidence().shims(Map.of("r1", 7L)).missing()).isEmpty();
        assertThat(new Evidence().shims(Map.of("r1", 7L, "r2", 0L)).missing())
                .containsExactly("the disk shim of r2 counted no fsync");
    }

    @Test
    void aRunInWhichNoRoundCouldBeJudgedShowsNoService() {
        assertThat(new Evidence().service(0, 0).missing()).isEmpty();
        assertThat(new Evidence().service(3, 1).missing()).isEmpty();
        assertThat(new Evidence().service(3, 0).missing()).hasSize(1);
    }

    @Test
    void aSmallShareOfValuesMayBeLeftUndecided() {
        assertThat(new Evidence().values(100, Evidence.MAX_UNDECIDED_PERCENT).missing())
                .isEmpty();
        assertThat(new Evidence()
                        .values(100, Evidence.MAX_UNDECIDED_PERCENT + 1)
                        .missing())
                .hasSize(1);
        assertThat(new Evidence().values(0, 0).missing()).isEmpty();
    }
}
