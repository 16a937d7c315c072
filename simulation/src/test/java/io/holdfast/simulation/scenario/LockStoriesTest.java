package io.holdfast.simulation.scenario;

import static io.holdfast.model.LockMode.EXCLUSIVE;
import static io.holdfast.model.LockMode.SHARED;
import static io.holdfast.simulation.scenario.Actor.NO_LIMIT;
import static io.holdfast.simulation.scenario.Story.MILLI;
import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios about locks, as histories on virtual time. Each runs with several seeds. */
class LockStoriesTest {
    private static final String LOCK = "/jobs/reindex";

    /** C01, C59: a waiter whose session lapses is told so, and never that it won. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aWaiterWhoseSessionLapsedNeverWins(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Actor c = story.actor();
        Hold first = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        long behind = c.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);

        b.process().pause();
        story.run(14 * SECOND);
        a.release(first);
        Hold third = (Hold) story.answer(c, behind, SECOND);
        assertThat(third.token()).isGreaterThan(first.token());
        b.process().goOn();
        story.answer(b, waiting, 5 * SECOND);
        assertThat(b.failure(waiting)).isEqualTo(Failure.Kind.SESSION_EXPIRED);
        assertThat(b.states()).endsWith(SessionState.JEOPARDY, SessionState.EXPIRED);
        assertThat(c.holds(third)).isTrue();
        story.agree();
    }

    /** C07: a grant that was acknowledged is known to the next leader. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anAcknowledgedGrantOutlivesItsLeader(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        story.leader().kill();
        long tried = b.acquire(LOCK, EXCLUSIVE, 0);
        story.answer(b, tried, 10 * SECOND);
        assertThat(b.failure(tried)).isEqualTo(Failure.Kind.HELD);
        story.run(20 * SECOND);
        assertThat(a.holds(hold)).isTrue();
    }

    /** C07: a minority grants nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aMinorityGrantsNothing(long seed) {
        Story story = Story.of(seed, 5);
        Actor a = story.actor();
        for (int i = 0; i < 3; i++) {
            story.cluster().replicas().get(i).kill();
        }
        long asked = a.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(60 * SECOND);
        assertThat(a.isAnswered(asked)).isFalse();
        story.cluster().replicas().get(0).start();
        assertThat(story.answer(a, asked, 20 * SECOND)).isInstanceOf(Hold.class);
    }

    /** C17: an old release, sent again, does not free the newer hold of the same session. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anOldReleaseFreesNoNewerHold(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold first = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        story.loseReplies(a);
        a.release(first);
        assertThat(a.holds(first)).isFalse();
        story.run(300 * MILLI);
        story.cutStreams(a);
        Hold second = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 10 * SECOND);
        assertThat(second.token()).isGreaterThan(first.token());

        a.process()
                .sendRaw(new ClientFrame.Request(
                        500, 0, new io.holdfast.model.Operation.Release(first.place(), first.token())));
        a.process()
                .sendRaw(new ClientFrame.Request(
                        501, 0, new io.holdfast.model.Operation.Release(second.place(), first.token())));
        story.run(SECOND);
        assertThat(a.holds(second)).isTrue();
        assertThat(story.cluster().checks().model().heldTokens())
                .containsExactly(second.token().value());
    }

    /** C19: releasing what one does not hold changes nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void releaseAfterAFailedTryChangesNothing(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold hold = (Hold) story.answer(b, b.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        long tried = a.acquire(LOCK, EXCLUSIVE, 0);
        story.answer(a, tried, 5 * SECOND);
        assertThat(a.failure(tried)).isEqualTo(Failure.Kind.HELD);
        a.process()
                .sendRaw(new ClientFrame.Request(
                        500, 0, new io.holdfast.model.Operation.Release(hold.place(), hold.token())));
        story.run(SECOND);
        assertThat(b.holds(hold)).isTrue();
        assertThat(story.cluster().checks().model().heldTokens())
                .containsExactly(hold.token().value());
        assertThat(story.answer(b, b.release(hold), 5 * SECOND)).isEqualTo(new Outcome.Released(true));
        assertThat(story.answer(b, b.release(hold), 5 * SECOND)).isEqualTo(new Outcome.Released(false));
    }

    /** C22: wall clocks jump, leases do not. */
    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000, 31_536_000_000L})
    void wallClocksMayJump(long millis) {
        Story story = Story.of(5, 3);
        Actor a = story.actor();
        Actor dead = story.actor();
        Actor next = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        story.answer(dead, dead.acquire("/other", EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        long waiting = next.acquire("/other", EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        dead.process().kill();
        long died = story.now();
        story.cluster().replicas().forEach(replica -> replica.clock().jumpWall(millis));
        story.run(4 * SECOND);
        story.leader().kill();
        story.answer(next, waiting, 30 * SECOND);
        assertThat(story.now() - died).isBetween(8 * SECOND, 30 * SECOND);
        assertThat(a.holds(hold)).isTrue();
    }

    /** C45, C60: an acquire whose answer is lost is one place, and one release frees it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anAcquireWhoseAnswerIsLostIsOnePlace(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        story.answer(a, a.put("/warm", 1, -2), 5 * SECOND);
        story.loseReplies(a);
        long asked = a.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(300 * MILLI);
        assertThat(story.cluster().checks().model().places()).isEqualTo(1);
        story.leader().kill();
        story.cutStreams(a);
        Hold hold = (Hold) story.answer(a, asked, 10 * SECOND);
        assertThat(story.cluster().checks().model().places()).isEqualTo(1);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(2 * SECOND);
        a.release(hold);
        story.answer(b, waiting, SECOND);
    }

    /** C57: whatever the moment of the release, the next in line is told at once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void handOversNeverSleep(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        for (int i = 0; i < 500; i++) {
            Actor holder = i % 2 == 0 ? a : b;
            Actor next = i % 2 == 0 ? b : a;
            long waiting = next.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
            story.run(story.cluster().world().rng().below(2 * MILLI));
            holder.release(hold);
            hold = (Hold) story.answer(next, waiting, SECOND);
        }
    }

    /** C60, C62: a waiter that gives up, whatever is lost, leaves nothing behind. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whoGivesUpLeavesNothingBehind(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        story.answer(b, b.put("/warm", 1, -2), 5 * SECOND);
        story.loseReplies(b);
        long cancelled = b.acquire(LOCK, SHARED, NO_LIMIT);
        story.run(100 * MILLI);
        b.cancel(cancelled);
        long timedOut = b.acquire(LOCK, EXCLUSIVE, SECOND);
        story.run(200 * MILLI);
        story.cutStreams(b);
        story.until(() -> b.isAnswered(timedOut) && b.isAnswered(cancelled), 20 * SECOND);
        story.until(() -> story.cluster().checks().model().places() == 1, 10 * SECOND);
        a.release(hold);
        Actor c = story.actor();
        assertThat(story.answer(c, c.acquire(LOCK, EXCLUSIVE, 0), 5 * SECOND)).isInstanceOf(Hold.class);
    }

    /** C05, C59: a holder that is cut off stops believing before the next one holds. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aHolderThatIsCutOffStopsFirst(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = (Hold) story.answer(a, a.acquire(LOCK, EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        story.cutOff(a.process());
        long cut = story.now();
        Hold second = (Hold) story.answer(b, waiting, 15 * SECOND);
        assertThat(story.now() - cut).isLessThan(15 * SECOND);
        assertThat(a.holds(first)).isFalse();
        assertThat(b.holds(second)).isTrue();
        story.reconnect(a.process());
        story.run(5 * SECOND);
        assertThat(a.lost()).containsExactly(first);
    }
}
