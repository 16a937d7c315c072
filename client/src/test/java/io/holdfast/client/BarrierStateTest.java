package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The rule of the double barrier, against members that are slow in every way. */
final class BarrierStateTest {
    private static BarrierState state(List<Long> entrance, String... exit) {
        BarrierState state = new BarrierState();
        state.entrance().addAll(entrance);
        for (String value : exit) {
            state.addAtExit(value);
        }
        return state;
    }

    @Test
    void theFirstSoManyAreARoundAndTheRestWaits() {
        assertThat(state(List.of(1L, 2L)).roundOf(1, 3)).isNull();
        BarrierState four = state(List.of(1L, 2L, 4L, 9L));
        assertThat(four.roundOf(4, 3)).containsExactly(1L, 2L, 4L);
        assertThat(four.roundOf(9, 3)).isNull();
    }

    /** One of the round is so fast that it stands at the exit before a slow one has looked. */
    @Test
    void aSlowMemberFindsItsRoundAtTheExit() {
        BarrierState later = state(List.of(1L, 2L, 3L, 4L, 5L, 6L), "1,1,2,3", "2,1,2,3");
        assertThat(later.roundOf(3, 3)).containsExactly(1L, 2L, 3L);
        assertThat(later.roundOf(4, 3)).containsExactly(4L, 5L, 6L);
        assertThat(later.mayGo(List.of(1L, 2L, 3L))).isFalse();
        assertThat(state(List.of(1L, 2L), "1,1,2,3", "2,1,2,3").mayGo(List.of(1L, 2L, 3L)))
                .isTrue();
    }

    @Test
    void foreignValuesAreIgnored() {
        assertThat(state(List.of(1L, 2L), "", "x", "1,", "9".repeat(30)).exit()).isEmpty();
    }

    /** All of a round, twice, fit into a page of 512 KB. */
    @Test
    void whatIsWrittenAtTheExitIsShort() {
        List<Long> round = Collections.nCopies(DoubleBarrier.MAX_MEMBERS, Long.MAX_VALUE);
        assertThat(BarrierState.atExit(Long.MAX_VALUE, round)).hasSizeLessThan(2_100);
    }

    /** A member by its steps; each looks at the state at a random moment. */
    private static final class Walker {
        long token;
        int round;
        List<Long> companions = List.of();
        /** 0 outside, 1 at the entrance, 2 inside, 3 at the exit too, 4 gone from the entrance. */
        int step;
    }

    /**
     * Five walk through a barrier of three, forever, at random speeds: nobody is inside unless three came, nobody is gone while one of
     * its round is still inside, and all get on.
     */
    @Test
    void whateverTheSpeedsRoundsStayTogether() {
        for (int seed = 0; seed < 300; seed++) {
            walk(new Random(seed), seed);
        }
    }

    private static void walk(Random random, int seed) {
        BarrierState state = new BarrierState();
        List<Walker> walkers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            walkers.add(new Walker());
        }
        long tokens = 0;
        int rounds = 0;
        Map<List<Long>, TreeSet<Long>> inside =
                new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int i = 0; i < 2_000; i++) {
            Walker walker = walkers.get(random.nextInt(walkers.size()));
            switch (walker.step) {
                case 0 -> {
                    walker.token = ++tokens;
                    state.entrance().add(walker.token);
                    walker.step = 1;
                }
                case 1 -> {
                    List<Long> round = state.roundOf(walker.token, 3);
                    if (round != null) {
                        assertThat(round).as("seed %d", seed).hasSize(3).contains(walker.token);
                        inside.computeIfAbsent(round, any -> new TreeSet<>()).add(walker.token);
                        walker.companions = round;
                        walker.step = 2;
                        rounds++;
                    }
                }
                case 2 -> {
                    state.addAtExit(BarrierState.atExit(walker.token, walker.companions));
                    walker.step = 3;
                }
                case 3 -> {
                    if (state.mayGo(walker.companions)) {
                        for (Walker other : walkers) {
                            boolean behind =
                                    walker.companions.contains(other.token) && (other.step == 1 || other.step == 2);
                            assertThat(behind)
                                    .as("seed %d: one of the round is still inside", seed)
                                    .isFalse();
                        }
                        state.entrance().remove(walker.token);
                        walker.step = 4;
                    }
                }
                default -> {
                    state.exit().remove(walker.token);
                    walker.step = 0;
                }
            }
        }
        assertThat(rounds).as("seed %d", seed).isGreaterThan(50);
        // Every round but the last ones was walked by all three.
        assertThat(inside.values().stream()
                        .filter(members -> members.size() < 3)
                        .count())
                .as("seed %d", seed)
                .isLessThanOrEqualTo(2);
    }
}
