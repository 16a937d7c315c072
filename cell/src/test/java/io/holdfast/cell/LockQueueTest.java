package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long queues and large numbers; the rule itself is told in {@code exclusive-and-shared.txt}. */
final class LockQueueTest {
    private final TestCell cell = new TestCell();

    private List<Outcome.Placed> queue(int waiters) {
        List<Outcome.Placed> places = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            places.add(cell.exclusive(cell.open(), "/lock"));
        }
        return places;
    }

    private void release(Outcome.Placed place) {
        Answer.PlaceInfo info = cell.places("/").stream()
                .filter(p -> p.place().equals(place.place()))
                .findFirst()
                .orElseThrow();
        assertThat(cell.release(info.session(), place)).isEqualTo(new Outcome.Released(true));
    }

    /** N9, C98: one grant and one change for each hand-over, in order, with 2,000 waiting. */
    @Test
    void oneReleaseWithTwoThousandWaitersIsOneGrant() {
        List<Outcome.Placed> places = queue(2_001);
        for (int i = 0; i < 100; i++) {
            release(places.get(i));
            assertThat(cell.events()).hasSize(2);
            assertThat(cell.events(CellEvent.Granted.class))
                    .singleElement()
                    .satisfies(grant -> assertThat(grant.token())
                            .isEqualTo(places.get(cell100(grant)).token()));
            assertThat(cell.isHeld(places.get(i + 1))).isTrue();
        }
        assertThat(cell.machine().placesHeld()).isEqualTo(1);
        assertThat(cell.machine().placesWaiting()).isEqualTo(1_900);
    }

    private static int cell100(CellEvent.Granted grant) {
        // Sessions and places take turns in the counter: the i-th place has revision 2 (i + 1), and each release one
        // more.
        return (int) (grant.token().value() / 2) - 1;
    }

    /** C98: those who leave from the middle wake nobody. */
    @Test
    void waitersThatLeaveGrantNothing() {
        List<Outcome.Placed> places = queue(600);
        for (int i = 50; i < 550; i++) {
            release(places.get(i));
            assertThat(cell.events(CellEvent.Granted.class)).isEmpty();
        }
        release(places.get(0));
        assertThat(cell.events(CellEvent.Granted.class)).hasSize(1);
    }

    @Test
    void thousandsOfSharedPlacesHoldTogetherAndOneReleaseLetsThemAllIn() {
        SessionId writer = cell.open();
        Outcome.Placed first = cell.exclusive(writer, "/lock");
        SessionId reader = cell.open();
        for (int i = 0; i < 3_000; i++) {
            assertThat(cell.shared(reader, "/lock").held()).isFalse();
        }
        Outcome.Placed last = cell.exclusive(writer, "/lock");

        cell.release(writer, first);

        assertThat(cell.events(CellEvent.Granted.class)).hasSize(3_000);
        assertThat(cell.isHeld(last)).isFalse();
        assertThat(cell.machine().placesHeld()).isEqualTo(3_000);
        cell.check();
        cell.expire(reader);
        assertThat(cell.events(CellEvent.Granted.class)).hasSize(1);
        assertThat(cell.isHeld(last)).isTrue();
    }

    /** C47: the order of numbers and of text is the same, whatever the counter stands at. */
    @ParameterizedTest
    @ValueSource(longs = {2_147_483_640L, 4_294_967_290L, 9_999_999_990L, 9_007_199_254_740_985L, Long.MAX_VALUE - 100})
    void ordersPlacesRightWhenTheCounterIsLarge(long revision) {
        TestCell large = new TestCell(CellStateMachine.startingAt(CellLimits.defaults(), revision));
        SessionId session = large.open();
        List<Outcome.Placed> places = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            places.add(large.exclusive(session, "/lock"));
        }
        large.restart();
        Answer.Children children =
                (Answer.Children) large.machine().query(new Query.ListChildren(new NodePath("/lock"), "", 100));
        assertThat(children.names())
                .isEqualTo(places.stream().map(p -> p.place().name()).toList());
        for (int i = 0; i < 20; i++) {
            assertThat(places.get(i).token().value()).isEqualTo(revision + 2 + i);
            assertThat(large.isHeld(places.get(i))).isTrue();
            assertThat(large.machine().placesHeld()).isEqualTo(1);
            large.release(session, places.get(i));
            large.check();
        }
        assertThat(large.exists("/lock")).isFalse();
    }

    /** F3: tokens rise although the lock goes and comes. */
    @Test
    void tokensRiseThoughTheLockIsDeletedEachTime() {
        SessionId session = cell.open();
        long last = 0;
        for (int i = 0; i < 50; i++) {
            Outcome.Placed placed = cell.acquire(session, "/lock", i % 2 == 0 ? LockMode.SHARED : LockMode.EXCLUSIVE);
            assertThat(placed.held()).isTrue();
            assertThat(placed.token().value()).isGreaterThan(last);
            last = placed.token().value();
            cell.release(session, placed);
            cell.restart();
            assertThat(cell.exists("/lock")).isFalse();
        }
    }
}
