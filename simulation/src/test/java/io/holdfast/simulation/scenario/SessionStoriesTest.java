package io.holdfast.simulation.scenario;

import static io.holdfast.model.LockMode.EXCLUSIVE;
import static io.holdfast.simulation.scenario.Actor.NO_LIMIT;
import static io.holdfast.simulation.scenario.Story.MILLI;
import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios about leases, and about who may free what, as histories on virtual time. */
class SessionStoriesTest {
    private static final String LOCK = "/jobs/reindex";

    private static Hold hold(Story story, Actor actor, String lock) {
        return (Hold) story.answer(actor, actor.acquire(lock, EXCLUSIVE, NO_LIMIT), 10 * SECOND);
    }

    /** C21: the lease that counts is the holder's, not the challenger's. */
    @ParameterizedTest
    @CsvSource({"60000, 4000, 1", "60000, 4000, 2", "4000, 60000, 1"})
    void aChallengersLeaseSaysNothingAboutTheHolders(long holdersMillis, long challengersMillis, long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor(holdersMillis);
        Actor b = story.actor(challengersMillis);
        hold(story, a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        long frozen = story.now();
        a.process().pause();
        story.until(() -> b.isAnswered(waiting), (holdersMillis + 3_000) * MILLI);
        // A KeepAlive may have been confirmed up to a third of the lease before.
        assertThat(story.now() - frozen)
                .isBetween(holdersMillis * MILLI * 2 / 3 - 2 * SECOND, (holdersMillis + 3_000) * MILLI);
    }

    /** C25: a KeepAlive that arrives behind a release brings nothing back to life. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aKeepAliveBehindAReleaseRevivesNothing(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = hold(story, a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        a.release(first);
        a.process().sendRaw(new ClientFrame.KeepAlive(900));
        Hold second = (Hold) story.answer(b, waiting, SECOND);
        a.process().sendRaw(new ClientFrame.KeepAlive(901));
        story.run(20 * SECOND);
        assertThat(a.holds(first)).isFalse();
        assertThat(b.holds(second)).isTrue();
        assertThat(a.states()).containsExactly(SessionState.SAFE);
    }

    /** C27: ten minutes in which a holder is cut off for 1 to 8 s again and again, and never loses its lock. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shortCutsNeverEndASession(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold first = hold(story, a, LOCK);
        Hold kept = hold(story, a, "/other");
        for (int round = 0; round < 30; round++) {
            story.cutOff(a.process());
            story.run((1 + round % 8) * SECOND);
            story.reconnect(a.process());
            story.run((19 - round % 8) * SECOND);
            assertThat(a.holds(kept)).as("round %d", round).isTrue();
            if (round == 15) {
                story.answer(a, a.release(first), 5 * SECOND);
                first = hold(story, a, LOCK); // renewed like the first one
            }
        }
        assertThat(a.holds(first)).isTrue();
        assertThat(a.lost()).isEmpty();
    }

    /** C28: sessions belong to the cell; that the server through which they came dies frees nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aServerThatDiesFreesNothing(long seed) {
        Story story = Story.of(seed, 5);
        List<Actor> actors = List.of(story.actor(), story.actor(), story.actor(), story.actor());
        List<Hold> holds = actors.stream()
                .map(actor -> hold(story, actor, "/l" + actor.process().hostId()))
                .toList();
        for (int dies = 0; dies < 2; dies++) {
            story.cluster().replicas().get(dies).kill();
            story.run(15 * SECOND);
        }
        for (int i = 0; i < actors.size(); i++) {
            assertThat(actors.get(i).holds(holds.get(i))).isTrue();
            assertThat(actors.get(i).lost()).isEmpty();
        }
    }

    /** C35: what is told comes in order and nothing is left out, whatever the cell decided while the client was away. */
    @ParameterizedTest
    @CsvSource({"5, 1", "11, 1", "13, 1", "30, 1", "70, 1", "5, 2", "11, 2", "13, 2", "30, 2", "70, 2"})
    void statesAreToldInOrder(long seconds, long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold first = hold(story, a, LOCK);
        story.cutOff(a.process());
        story.run(seconds * SECOND);
        boolean aliveAtTheCell =
                story.cluster().checks().model().isLive(a.process().sessionId());
        story.reconnect(a.process());
        story.run(20 * SECOND);
        List<SessionState> told = a.states();
        if (aliveAtTheCell) {
            assertThat(told).endsWith(SessionState.SAFE).doesNotContain(SessionState.EXPIRED);
            assertThat(a.holds(first)).isTrue();
        } else {
            assertThat(told).containsExactly(SessionState.SAFE, SessionState.JEOPARDY, SessionState.EXPIRED);
            assertThat(a.lost()).containsExactly(first);
        }
    }

    /** C78: a dead holder's lock is free when its lease is over: not before, and not a multiple of it later. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aTakeoverTakesOneLease(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor blocking = story.actor();
        Actor polling = story.actor();
        hold(story, a, LOCK);
        hold(story, a, "/polled");
        long waiting = blocking.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND + seed * 700 * MILLI);
        a.process().kill();
        long killed = story.now();
        long won = 0;
        while (won == 0 || !blocking.isAnswered(waiting)) {
            long tried = polling.acquire("/polled", EXCLUSIVE, 0);
            boolean held = story.answer(polling, tried, 5 * SECOND) instanceof Hold;
            won = held && won == 0 ? story.now() : won;
            story.run(100 * MILLI);
            assertThat(story.now() - killed).isLessThan(15 * SECOND);
        }
        assertThat(won - killed).isBetween(7 * SECOND, 13 * SECOND);
    }

    /** C82: a lock's node goes with its last place while others ask for it; nobody is stuck. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aLockThatComesAndGoesLeavesNobodyStuck(long seed) {
        Story story = Story.of(seed, 3);
        List<Actor> actors = List.of(story.actor(), story.actor(), story.actor(), story.actor());
        long[] asked = new long[actors.size()];
        for (int i = 0; i < asked.length; i++) {
            asked[i] = actors.get(i).acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        }
        int done = 0;
        for (int step = 0; done < 120 && step < 20_000; step++) {
            story.run(5 * MILLI);
            for (int i = 0; i < asked.length; i++) {
                Actor actor = actors.get(i);
                if (actor.isAnswered(asked[i]) && actor.answer(asked[i]) instanceof Hold held) {
                    actor.release(held);
                    asked[i] = actor.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
                    done++;
                }
            }
        }
        assertThat(done).isEqualTo(120);
    }

    /** C93: a release at any moment between two KeepAlives is a takeover within a second. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aReleaseBesideAKeepAliveIsATakeoverAtOnce(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        for (int round = 0; round < 40; round++) {
            Hold held = hold(story, a, LOCK);
            long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
            story.run(SECOND + round * 103 * MILLI);
            a.release(held);
            Hold next = (Hold) story.answer(b, waiting, SECOND);
            story.answer(b, b.release(next), 5 * SECOND);
        }
        assertThat(a.states()).containsExactly(SessionState.SAFE);
    }

    /** C96: a process that starts again under the same name does not keep its former life's hold alive, nor can it free it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRestartedProcessIsAnotherHolder(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold former = hold(story, a, LOCK);
        story.run(2 * SECOND);
        a.process().kill();
        long killed = story.now();
        story.run(SECOND);
        a.process().start();
        long tried = a.acquire(LOCK, EXCLUSIVE, 0);
        story.answer(a, tried, 5 * SECOND);
        assertThat(a.failure(tried)).isEqualTo(Failure.Kind.HELD);
        a.process().sendRaw(new ClientFrame.Request(700, 0, new Operation.Release(former.place(), former.token())));
        long again = a.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(4 * SECOND);
        assertThat(a.isAnswered(again)).isFalse();
        Hold next = (Hold) story.answer(a, again, 10 * SECOND);
        assertThat(story.now() - killed).isBetween(7 * SECOND, 15 * SECOND);
        assertThat(next.token()).isGreaterThan(former.token());
    }
}
