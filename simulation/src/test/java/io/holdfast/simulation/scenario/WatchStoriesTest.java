package io.holdfast.simulation.scenario;

import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.Operation;
import io.holdfast.simulation.process.SimReplica;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios about watches, as histories on virtual time (R5.1–R5.4). Each runs with several seeds. */
class WatchStoriesTest {
    private static final String PATH = "/config/a";

    private static void put(Story story, Actor actor, int value) {
        story.answer(actor, actor.put(PATH, value, Operation.ANY_VERSION), 10 * SECOND);
    }

    private static int newest(Actor actor, long listening) {
        Answer answer = actor.observed(listening).get(actor.observed(listening).size() - 1);
        byte[] value = ((Answer.Value) answer).value();
        return value == null ? 0 : value[0];
    }

    private static void untilSeen(Story story, Actor actor, long listening, int value) {
        story.until(
                () -> !actor.observed(listening).isEmpty()
                        && newest(actor, listening) == value
                        && actor.isCertain(listening),
                20 * SECOND);
    }

    /** C49: what was written while the watcher was away is not lost, nor if it had had no event yet. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatWasWrittenInTheGapIsTold(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        Actor writer = story.actor();
        put(story, writer, 1);
        long listening = watcher.listen(PATH);
        long single = watcher.watch(PATH);
        untilSeen(story, watcher, listening, 1);
        story.cutOff(watcher.process());
        put(story, writer, 2);
        put(story, writer, 3);
        story.run(8 * SECOND); // a KeepAlive every 4 s, given up after 2.5 s
        assertThat(watcher.isCertain(listening)).isFalse(); // nothing old is shown as certain
        story.reconnect(watcher.process());
        untilSeen(story, watcher, listening, 3);
        assertThat(watcher.fired(single)).isEqualTo(1);
        assertThat(watcher.states()).doesNotContain(SessionState.EXPIRED);
    }

    /** C40: deleted and made again with the same value and the same version. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deletedAndMadeAgainWhileAwayFires(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        Actor writer = story.actor();
        put(story, writer, 7);
        long single = watcher.watch(PATH);
        story.answer(watcher, single, 5 * SECOND);
        story.cutOff(watcher.process());
        story.answer(writer, writer.delete(PATH), 5 * SECOND);
        put(story, writer, 7);
        story.run(3 * SECOND);
        story.reconnect(watcher.process());
        story.until(() -> watcher.fired(single) == 1, 20 * SECOND);
    }

    /** C73, C74, R2.4: through a dead leader, and again through the next. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aListenerSurvivesOneLeaderAfterTheOther(long seed) {
        Story story = Story.of(seed, 5);
        Actor watcher = story.actor();
        Actor writer = story.actor();
        long listening = watcher.listen(PATH);
        for (int i = 1; i <= 4; i++) {
            SimReplica leader = story.leader();
            put(story, writer, i);
            leader.kill();
            put(story, writer, 10 + i);
            untilSeen(story, watcher, listening, 10 + i);
            leader.start();
            story.run(5 * SECOND);
        }
        assertThat(watcher.states()).doesNotContain(SessionState.EXPIRED);
    }

    /** C43, R2.6: a leader that was frozen and wakes tells nobody of a state that is over. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nobodyGoesBackWhenAnOldLeaderWakes(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        Actor writer = story.actor();
        long listening = watcher.listenChildren("/lead");
        long first = writer.acquire("/lead", LockMode.EXCLUSIVE, Actor.NO_LIMIT);
        story.answer(writer, first, 5 * SECOND);
        story.until(() -> watcher.names(listening).size() == 1, 5 * SECOND);
        SimReplica old = story.leader();
        old.pause();
        story.until(() -> story.cluster().leader() != null && story.cluster().leader() != old, 20 * SECOND);
        writer.release(writer.hold(first));
        long second = writer.acquire("/lead", LockMode.EXCLUSIVE, Actor.NO_LIMIT);
        String place = ((io.holdfast.client.session.Hold) story.answer(writer, second, 20 * SECOND))
                .place()
                .name();
        story.until(() -> watcher.names(listening).equals(List.of(place)), 20 * SECOND);
        old.goOn();
        story.run(20 * SECOND);
        assertThat(watcher.names(listening)).isEqualTo(List.of(place));
        assertThat(watcher.isCertain(listening)).isTrue();
    }

    /** A dead leader of an election is never shown as certain for longer than its lease, whatever lock-delay it had (R4.6). */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aPlaceThatLosesItsHolderIsAChange(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        Actor leader = story.actor();
        long call = leader.acquire("/lead", LockMode.EXCLUSIVE, Actor.NO_LIMIT, 8_000);
        story.answer(leader, call, 5 * SECOND);
        long listening = watcher.listenChildren("/lead");
        story.until(() -> watcher.names(listening).size() == 1, 5 * SECOND);
        int before = watcher.observed(listening).size();
        leader.process().kill();
        story.until(() -> watcher.observed(listening).size() > before, 14 * SECOND);
        assertThat(watcher.names(listening)).hasSize(1); // it blocks on
        story.until(() -> watcher.names(listening).isEmpty(), 12 * SECOND);
    }

    /** C101: told by the client's own clock, with every replica dead. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void withoutACellTheListenerIsInDoubtAndThenItEnds(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        put(story, watcher, 1);
        long listening = watcher.listen(PATH);
        untilSeen(story, watcher, listening, 1);
        story.cluster().replicas().forEach(SimReplica::kill);
        story.run(14 * SECOND);
        assertThat(watcher.isCertain(listening)).isFalse();
        assertThat(watcher.hasEnded(listening)).isFalse();
        story.run(45 * SECOND);
        assertThat(watcher.hasEnded(listening)).isTrue();
        assertThat(watcher.states()).endsWith(SessionState.JEOPARDY, SessionState.EXPIRED);
    }

    /** C55: read and watch against a writer that never rests. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aTightLoopOfWritesEndsWithTheLastValue(long seed) {
        Story story = Story.of(seed, 3);
        Actor watcher = story.actor();
        Actor writer = story.actor();
        long listening = watcher.listen(PATH);
        long last = 0;
        for (int i = 1; i <= 100; i++) {
            last = writer.put(PATH, i, Operation.ANY_VERSION);
            story.run(Story.MILLI);
        }
        story.answer(writer, last, 10 * SECOND);
        untilSeen(story, watcher, listening, 100);
        assertThat(watcher.actions(listening).filter(SessionAction.Unsure.class::isInstance))
                .isEmpty();
    }
}
