package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cell.CellEvent;
import io.holdfast.cell.node.NodeChange;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** R5.1 and R5.4 at the leader: which change fires what, once. */
final class WatchTableTest {
    private static final SessionId ONE = new SessionId(1);
    private static final SessionId TWO = new SessionId(2);

    private final WatchTable<SessionId> table = new WatchTable<>(4, 6);

    private void add(SessionId session, long watch, WatchKind kind, String path) {
        table.add(session, watch, new WatchTable.Target(kind, new NodePath(path)));
    }

    private Map<SessionId, List<Long>> change(String path, NodeKind kind, NodeChange change) {
        Map<SessionId, List<Long>> fired = new TreeMap<>();
        table.changed(new CellEvent.NodeChanged(new NodePath(path), kind, 9, change), fired);
        return fired;
    }

    private void addAllKinds() {
        add(ONE, 1, WatchKind.VALUE, "/a/b");
        add(ONE, 2, WatchKind.EXISTENCE, "/a/b");
        add(ONE, 3, WatchKind.CHILDREN, "/a/b");
        add(ONE, 4, WatchKind.CHILDREN, "/a");
    }

    @Test
    void aNewValueFiresTheValueWatchOnly() {
        addAllKinds();
        assertThat(change("/a/b", NodeKind.PERSISTENT, NodeChange.CHANGED)).isEqualTo(Map.of(ONE, List.of(1L)));
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void comingAndGoingFiresAllThatCoverIt() {
        addAllKinds();
        assertThat(change("/a/b", NodeKind.PERSISTENT, NodeChange.CREATED))
                .isEqualTo(Map.of(ONE, List.of(1L, 2L, 3L, 4L)));
        addAllKinds();
        assertThat(change("/a/b", NodeKind.PERSISTENT, NodeChange.DELETED))
                .isEqualTo(Map.of(ONE, List.of(1L, 2L, 3L, 4L)));
        assertThat(table.size()).isZero();
    }

    /** C56: the wrong kind of watch does not fire. */
    @Test
    void whatIsNoValueFiresNoValueWatch() {
        addAllKinds();
        assertThat(change("/a/b", NodeKind.EPHEMERAL, NodeChange.CREATED)).isEqualTo(Map.of(ONE, List.of(2L, 3L, 4L)));
    }

    @Test
    void aContainerThatBecomesAValueHasTheSameChildrenAndIsTheSameChild() {
        addAllKinds();
        assertThat(change("/a/b", NodeKind.PERSISTENT, NodeChange.TURNED)).isEqualTo(Map.of(ONE, List.of(1L, 2L)));
    }

    @Test
    void aPlaceThatLosesItsSessionFiresItsLocksChildrenWatch() {
        addAllKinds();
        assertThat(change("/a/x", NodeKind.PLACE, NodeChange.DELAYED)).isEqualTo(Map.of(ONE, List.of(4L)));
    }

    @Test
    void aWatchFiresOnce() {
        add(ONE, 1, WatchKind.VALUE, "/a");
        add(TWO, 1, WatchKind.VALUE, "/a");
        assertThat(change("/a", NodeKind.PERSISTENT, NodeChange.CHANGED))
                .isEqualTo(Map.of(ONE, List.of(1L), TWO, List.of(1L)));
        assertThat(change("/a", NodeKind.PERSISTENT, NodeChange.CHANGED)).isEmpty();
    }

    @Test
    void whatIsTakenOutDoesNotFireAndLeavesNothing() {
        addAllKinds();
        add(TWO, 1, WatchKind.VALUE, "/a/b");
        table.remove(ONE, 1);
        table.remove(ONE, 1);
        table.remove(TWO, 99);
        assertThat(table.sizeOf(ONE)).isEqualTo(3);
        table.removeAll(ONE);
        assertThat(table.size()).isEqualTo(1);
        assertThat(change("/a/b", NodeKind.PERSISTENT, NodeChange.CREATED)).isEqualTo(Map.of(TWO, List.of(1L)));
        assertThat(table.size()).isZero();
    }

    @Test
    void aNumberThatIsUsedAgainStandsForTheNewWatch() {
        add(ONE, 1, WatchKind.VALUE, "/a");
        add(ONE, 1, WatchKind.VALUE, "/b");
        assertThat(table.size()).isEqualTo(1);
        assertThat(change("/a", NodeKind.PERSISTENT, NodeChange.CHANGED)).isEmpty();
    }

    @Test
    void theLimitsOfASessionAndOfTheCell() {
        addAllKinds();
        assertThat(table.hasRoomFor(ONE, 1)).isFalse();
        assertThat(table.hasRoomFor(TWO, 2)).isTrue();
        assertThat(table.hasRoomFor(TWO, 3)).isFalse();
        assertThatThrownBy(() -> add(ONE, 5, WatchKind.VALUE, "/c")).isInstanceOf(IllegalStateException.class);
    }
}
