package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas that decide each for itself, on one view of who leads what, second by second. */
class LeadSpreadTest {
    private static final long SECOND = 1_000_000_000L;
    private static final CellId MAIN = new CellId("main");

    private final Map<CellId, ReplicaId> leaders = new TreeMap<>();
    private final Map<ReplicaId, LeadSpread> replicas = new TreeMap<>();
    private final SortedSet<ReplicaId> there = new TreeSet<>();
    private final List<LeadSpread.Move> moves = new ArrayList<>();
    /** Nobody of these takes a lead. */
    private final SortedSet<ReplicaId> unable = new TreeSet<>();

    private long now = 100 * SECOND;

    private static ReplicaId id(int number) {
        return new ReplicaId("r" + number + "@a");
    }

    private void start(int count, int cells) {
        for (int i = 1; i <= count; i++) {
            replicas.put(id(i), new LeadSpread(id(i)));
            there.add(id(i));
        }
        leaders.put(MAIN, id(1));
        for (int i = 0; i < cells; i++) {
            leaders.put(new CellId("shard-" + (i < 10 ? "0" : "") + i), id(1));
        }
    }

    /** One second: who lives looks, and what is handed over is taken at once. */
    private void second() {
        List<LeadSpread.Move> decided = new ArrayList<>();
        for (ReplicaId self : there) {
            LeadSpread.Move move = spread(self).next(view(self), there, now);
            if (move != null) {
                assertThat(leaders.get(move.cell())).isEqualTo(self);
                assertThat(move.cell()).isNotEqualTo(MAIN);
                decided.add(move);
            }
        }
        for (LeadSpread.Move move : decided) {
            moves.add(move);
            if (!unable.contains(move.to())) {
                leaders.put(move.cell(), move.to());
            }
        }
        now += SECOND;
    }

    private LeadSpread spread(ReplicaId self) {
        return replicas.computeIfAbsent(self, LeadSpread::new);
    }

    private List<LeadSpread.Cell> view(ReplicaId self) {
        List<LeadSpread.Cell> cells = new ArrayList<>();
        leaders.forEach((cell, leader) -> {
            SortedSet<ReplicaId> takers = new TreeSet<>(there);
            takers.remove(self);
            cells.add(new LeadSpread.Cell(cell, leader, !cell.equals(MAIN), takers));
        });
        return cells;
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            second();
        }
    }

    /** The process ends; others win its cells, at random. */
    private void kill(ReplicaId victim, Random random) {
        there.remove(victim);
        replicas.remove(victim);
        List<ReplicaId> others = new ArrayList<>(there);
        leaders.replaceAll(
                (cell, leader) -> leader.equals(victim) ? others.get(random.nextInt(others.size())) : leader);
    }

    private int mostShards() {
        Map<ReplicaId, Integer> counts = new TreeMap<>();
        leaders.forEach((cell, leader) -> {
            if (!cell.equals(MAIN)) {
                counts.merge(leader, 1, Integer::sum);
            }
        });
        return counts.values().stream().max(Integer::compare).orElse(0);
    }

    private void assertEven() {
        int shards = leaders.size() - 1;
        int ceiling = (shards + there.size() - 1) / there.size();
        assertThat(mostShards()).as("%s", leaders).isLessThanOrEqualTo(ceiling + 1);
    }

    @ParameterizedTest
    @CsvSource({"5, 20", "3, 20", "5, 7", "7, 20", "2, 3", "1, 20", "5, 1"})
    void oneThatLeadsAllSharesWithinAMinuteAndThenNothingMoves(int count, int cells) {
        start(count, cells);
        seconds(4);
        assertThat(moves).isEmpty(); // not in the first seconds
        seconds(40);
        assertEven();
        int sufficient = moves.size();
        assertThat(sufficient).isLessThanOrEqualTo(cells);
        seconds(120);
        assertThat(moves).hasSize(sufficient);
    }

    /** Whatever there was, with crashes and returns: even within a minute, and no lead goes there and back. */
    @Test
    void evenWithinAMinuteOfAnyChange() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            leaders.clear();
            replicas.clear();
            there.clear();
            start(3 + random.nextInt(5), 1 + random.nextInt(25));
            int all = replicas.size();
            leaders.replaceAll((cell, leader) -> id(1 + random.nextInt(all)));
            for (int change = 0; change < 6; change++) {
                ReplicaId victim = id(1 + random.nextInt(all));
                if (there.contains(victim) && there.size() > all / 2 + 1) {
                    kill(victim, random);
                } else {
                    there.add(victim);
                }
                moves.clear();
                seconds(60);
                assertEven();
                Map<CellId, Integer> moved = new TreeMap<>();
                moves.forEach(move -> moved.merge(move.cell(), 1, Integer::sum));
                assertThat(moved.values()).as("seed %d", seed).allMatch(times -> times <= 2);
            }
        }
    }

    @Test
    void nothingMovesWhileReplicasComeAndGoOrALeaderIsMissing() {
        start(5, 20);
        for (int i = 0; i < 10; i++) {
            there.remove(id(5));
            seconds(3);
            there.add(id(5));
            seconds(3);
        }
        assertThat(moves).isEmpty();
        LeadSpread alone = new LeadSpread(id(1));
        for (int i = 0; i < 4; i++) {
            assertThat(alone.next(viewWith("shard-03", null), there, now + i * SECOND))
                    .isNull();
        }
    }

    private List<LeadSpread.Cell> viewWith(String cell, @Nullable ReplicaId leader) {
        List<LeadSpread.Cell> cells = new ArrayList<>(view(id(1)));
        cells.replaceAll(
                one -> one.id().value().equals(cell) ? new LeadSpread.Cell(one.id(), leader, true, one.takers()) : one);
        return cells;
    }

    /** Its disk is full, say: it is asked once in a while, and the others share meanwhile. */
    @Test
    void whoDoesNotTakeALeadIsLeftAlone() {
        start(3, 20);
        unable.add(id(2));
        seconds(60);
        long asked = moves.stream().filter(move -> move.to().equals(id(2))).count();
        assertThat(asked).isBetween(1L, 4L);
        assertThat(leaders.values().stream().filter(id(3)::equals).count()).isBetween(10L, 11L);
    }

    /** One that gives each lead up again, and is known to want none: nothing goes there. */
    @Test
    void aCellWhoseLeaderChangesAllTheTimeStays() {
        start(3, 3);
        there.remove(id(3));
        seconds(30);
        moves.clear();
        CellId restless = new CellId("shard-00");
        for (int i = 0; i < 10; i++) { // it wanders by itself
            leaders.put(restless, id(1 + i % 2));
            seconds(2);
        }
        leaders.replaceAll((cell, leader) -> cell.equals(MAIN) || cell.equals(restless) ? id(1) : id(2));
        leaders.put(new CellId("shard-01"), id(1));
        seconds(10);
        assertThat(moves).noneMatch(move -> move.cell().equals(restless));
    }

    /** Of the busiest only the first by name moves: were all to, the spread would swing to the other side. */
    @Test
    void theBusiestTakeTurns() {
        start(5, 24);
        int i = 0;
        for (CellId cell : leaders.keySet()) {
            leaders.put(cell, id(1 + i++ % 4)); // 7, 6, 6, 6, 0
        }
        seconds(5);
        assertThat(moves).isEmpty();
        second();
        assertThat(moves)
                .singleElement()
                .satisfies(move -> assertThat(move.to()).isEqualTo(id(5)));
        seconds(20);
        assertThat(moves).hasSize(5);
        assertEven();
    }
}
