package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is newer than what a watch's client has seen (R5.3, ADR 0009): single histories, then all that chance can think of. */
final class ChangedSinceTest {
    private final TestCell cell = new TestCell();

    private boolean newer(WatchKind kind, String path, long seen) {
        return cell.machine().newestOf(kind, new NodePath(path)) > seen;
    }

    private long now() {
        return cell.machine().revision();
    }

    @Test
    void aValueIsNewerWhenItWasSetAndNotOtherwise() {
        cell.put("/a", "1");
        long seen = now();
        cell.put("/b", "1");
        assertThat(newer(WatchKind.VALUE, "/a", seen)).isFalse();
        cell.put("/a", "2");
        assertThat(newer(WatchKind.VALUE, "/a", seen)).isTrue();
        assertThat(newer(WatchKind.EXISTENCE, "/a", seen)).isFalse();
        assertThat(newer(WatchKind.CHILDREN, "/a", seen)).isFalse();
    }

    /** C40: the same value with the same version is another node. */
    @Test
    void deletedAndMadeAgainIsNewerWhateverItsVersion() {
        cell.put("/a", "1");
        long seen = now();
        cell.delete("/a");
        cell.put("/a", "1");
        assertThat(cell.value("/a").version()).isZero();
        for (WatchKind kind : WatchKind.values()) {
            assertThat(newer(kind, "/a", seen)).as(kind.toString()).isTrue();
        }
    }

    @Test
    void madeAndDeletedWhileAwayIsNewer() {
        cell.put("/dir/other", "1");
        long seen = now();
        assertThat(newer(WatchKind.VALUE, "/dir/a/b", seen)).isFalse();
        cell.put("/dir/a/b", "1");
        cell.delete("/dir/a/b");
        assertThat(newer(WatchKind.VALUE, "/dir/a/b", seen)).isTrue();
        assertThat(newer(WatchKind.EXISTENCE, "/dir/a/b", seen)).isTrue();
    }

    /** The history that R5.3 loses as it was written: the ancestor is new and has never had a child. */
    @Test
    void madeAndDeletedBelowAnAncestorThatWasMadeAgainIsNewer() {
        cell.put("/a", "1");
        long seen = now();
        cell.put("/a/b", "1");
        cell.delete("/a/b");
        cell.delete("/a");
        cell.put("/a", "1");
        assertThat(cell.stat("/a").childrenRevision()).isZero();
        for (WatchKind kind : WatchKind.values()) {
            assertThat(newer(kind, "/a/b", seen)).as(kind.toString()).isTrue();
        }
    }

    @Test
    void placesAreChildrenAndALockDelayCountsAsLeaving() {
        SessionId session = cell.open();
        SessionId other = cell.open();
        cell.shared(other, "/lock");
        long seen = now();
        cell.acquire(session, "/lock", LockMode.SHARED, 1_000);
        assertThat(newer(WatchKind.CHILDREN, "/lock", seen)).isTrue();
        seen = now();
        cell.expire(session);
        assertThat(cell.machine().placesDelayed()).isEqualTo(1);
        assertThat(newer(WatchKind.CHILDREN, "/lock", seen)).isTrue();
        assertThat(cell.events(CellEvent.NodeChanged.class)).hasSize(1);
        cell.check();
    }

    @Test
    void anEphemeralNodeIsNoValue() {
        SessionId session = cell.open();
        cell.put("/keep/x", "1");
        long seen = now();
        cell.ephemeral(session, "/keep/e");
        assertThat(newer(WatchKind.EXISTENCE, "/keep/e", seen)).isTrue();
        assertThat(newer(WatchKind.VALUE, "/keep/e", now())).isFalse();
    }

    // ---- all that chance can think of

    private static final String[] PATHS = {"/a", "/a/b", "/a/b/c", "/a/d", "/e", "/e/f"};
    private static final int SEEDS = 300;

    /** What a client of each kind of watch can see of a path. */
    private static Map<WatchKind, String> seenAt(CellStateMachine machine, String path) {
        NodePath node = new NodePath(path);
        Map<WatchKind, String> seen = new EnumMap<>(WatchKind.class);
        Answer.Value value = (Answer.Value) machine.query(new Query.GetValue(node));
        seen.put(WatchKind.VALUE, value.createRevision() + "/" + value.modifyRevision());
        Answer stat = machine.query(new Query.Stat(node));
        seen.put(WatchKind.EXISTENCE, stat instanceof Answer.NodeStat s ? "" + s.createRevision() : "none");
        StringBuilder children = new StringBuilder(stat instanceof Answer.NodeStat ? "" : "none");
        if (machine.query(new Query.ListChildren(node, "", 100)) instanceof Answer.Children list) {
            for (String name : list.names()) {
                Answer.NodeStat child = (Answer.NodeStat) machine.query(new Query.Stat(node.child(name)));
                children.append(' ').append(name).append(child.session());
            }
        }
        seen.put(WatchKind.CHILDREN, children.toString());
        return seen;
    }

    private record Moment(long revision, Map<String, Map<WatchKind, String>> seen) {}

    private Moment moment() {
        Map<String, Map<WatchKind, String>> seen = new TreeMap<>();
        for (String path : PATHS) {
            seen.put(path, seenAt(cell.machine(), path));
        }
        return new Moment(now(), seen);
    }

    @Test
    void nothingIsMissedWhateverHappened() {
        long fired = 0;
        long quiet = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            ChangedSinceTest run = new ChangedSinceTest();
            long[] counts = run.play(new Random(seed), seed);
            fired += counts[0];
            quiet += counts[1];
        }
        assertThat(fired).isGreaterThan(10_000);
        assertThat(quiet).isGreaterThan(10_000);
    }

    private long[] play(Random random, int seed) {
        List<Moment> history = new ArrayList<>();
        history.add(moment());
        SessionId session = cell.open();
        List<Outcome.Placed> places = new ArrayList<>();
        long[] counts = new long[2];
        for (int i = 0; i < 40; i++) {
            String path = PATHS[random.nextInt(PATHS.length)];
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> cell.put(path, "v");
                case 3, 4, 5 -> cell.delete(path);
                case 6 -> cell.ephemeral(session, path);
                case 7 -> {
                    if (cell.tryAcquire(session, path, LockMode.SHARED) instanceof Outcome.Placed placed) {
                        places.add(placed);
                    } else if (!places.isEmpty()) {
                        cell.release(session, places.remove(0));
                    }
                }
                default -> {
                    cell.expire(session);
                    places.clear();
                    session = cell.open();
                }
            }
            history.add(moment());
        }
        for (int from = 0; from < history.size(); from++) {
            for (String path : PATHS) {
                for (WatchKind kind : WatchKind.values()) {
                    judge(history, from, path, kind, counts, seed);
                }
            }
        }
        return counts;
    }

    private void judge(List<Moment> history, int from, String path, WatchKind kind, long[] counts, int seed) {
        String first = history.get(from).seen().get(path).get(kind);
        boolean changed = history.subList(from, history.size()).stream()
                .anyMatch(later -> !later.seen().get(path).get(kind).equals(first));
        boolean newer = newer(kind, path, history.get(from).revision());
        counts[newer ? 0 : 1]++;
        if (changed) {
            assertThat(newer)
                    .as("seed %d: %s watch of %s from moment %d", seed, kind, path, from)
                    .isTrue();
        } else if (kind == WatchKind.VALUE && !first.equals("0/0")) {
            assertThat(newer).as("seed %d: nothing spurious on a value", seed).isFalse();
        }
    }
}
