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
import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.simulation.world.Seen;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * R3.6 and the histories of ADR 0010 on virtual time. That never two act at once is checked after every event, also while a
 * client brings its work to an end.
 */
class EndingStoriesTest {
    private static final String LOCK = "/jobs/reindex";

    private Story story = Story.of(1, 3);

    private void begin(long seed, int replicas) {
        story = Story.of(seed, replicas);
    }

    private Hold hold(Actor actor, String lock) {
        return (Hold) story.answer(actor, actor.acquire(lock, EXCLUSIVE, NO_LIMIT), 10 * SECOND);
    }

    private Outcome.BeingEnded ask(Actor operator, Operation operation) {
        return (Outcome.BeingEnded) story.answer(operator, operator.ask(operation), 10 * SECOND);
    }

    private static Operation expiring(Actor actor) {
        return new Operation.EndSession(new SessionId(actor.process().sessionId()));
    }

    private static Operation breaking(Hold hold) {
        return new Operation.BreakPlace(hold.place(), hold.token());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aBrokenHoldGoesToTheNextAndTheSessionKeepsAllElse(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold broken = hold(a, LOCK);
        Hold kept = hold(a, "/other");
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        Outcome.BeingEnded asked = ask(story.actor(), breaking(broken));
        assertThat(asked.session()).isEqualTo(new SessionId(a.process().sessionId()));
        Hold next = (Hold) story.answer(b, waiting, 11 * SECOND);
        assertThat(a.lost()).containsExactly(broken);
        assertThat(broken.lostReason()).isEqualTo("broken by an operator");
        story.run(30 * SECOND);
        assertThat(a.holds(kept)).isTrue();
        assertThat(b.holds(next)).isTrue();
        assertThat(a.states()).containsExactly(SessionState.SAFE);
        story.agree();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anExpiredSessionGoesWhenItsClientHasStopped(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = hold(a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        ask(story.actor(), expiring(a));
        story.answer(b, waiting, 13 * SECOND);
        assertThat(a.states()).containsExactly(SessionState.SAFE, SessionState.EXPIRED);
        assertThat(first.lostReason()).isEqualTo("expired by an operator");
        story.agree();
    }

    /** History 1: a holder that never hears of it is not confirmed again, so it cannot come back believing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aHolderThatIsCutOffLosesItsSessionWithItsLease(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = hold(a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        story.cutOff(a.process());
        Actor operator = story.actor();
        ask(operator, breaking(first));
        story.run(6 * SECOND);
        assertThat(b.isAnswered(waiting)).isFalse();
        Hold second = (Hold) story.answer(b, waiting, 10 * SECOND);
        assertThat(second.token()).isGreaterThan(first.token());
        story.reconnect(a.process());
        story.run(20 * SECOND);
        assertThat(a.states()).containsExactly(SessionState.SAFE, SessionState.JEOPARDY, SessionState.EXPIRED);
        assertThat(b.holds(second)).isTrue();
        assertThat(story.seen(Seen.ENDED_UNHEARD)).isEqualTo(1);
    }

    /** A client that comes back within its lease hears of it before it is confirmed, wherever it attaches. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aHolderThatComesBackIsToldThere(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = hold(a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        story.cutOff(a.process());
        ask(story.actor(), breaking(first));
        story.run(3 * SECOND);
        assertThat(a.holds(first)).isTrue(); // it has heard of nothing, and nobody else was let in
        story.reconnect(a.process());
        story.cutStreams(a);
        story.answer(b, waiting, 12 * SECOND);
        assertThat(a.lost()).containsExactly(first);
        assertThat(a.states()).doesNotContain(SessionState.EXPIRED);
    }

    /** History 2: the reply that names the place comes after the notice that it is broken. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aPlaceThatIsBrokenBeforeItsClientKnowsItNeverBecomesAHold(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Actor operator = story.actor();
        story.answer(a, a.put("/opened", 1, Operation.ANY_VERSION), 10 * SECOND);
        story.loseReplies(a);
        long acquiring = a.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(300 * MILLI);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        Query all = new Query.ListPlaces(NodePath.ROOT, NodePath.ROOT, 10);
        Answer.Places places = (Answer.Places) story.answer(operator, operator.read(all), 5 * SECOND);
        Answer.PlaceInfo held = places.places().get(0);
        assertThat(held.session()).isEqualTo(new SessionId(a.process().sessionId()));
        ask(operator, new Operation.BreakPlace(held.place(), held.token()));
        story.cutStreams(a);
        story.answer(a, acquiring, 10 * SECOND);
        assertThat(a.failure(acquiring)).isEqualTo(Failure.Kind.LOST);
        Hold next = (Hold) story.answer(b, waiting, 10 * SECOND);
        assertThat(b.holds(next)).isTrue();
        assertThat(a.states()).doesNotContain(SessionState.EXPIRED);
    }

    /** History 3: the leader dies with the acknowledgement; the release of the client frees the place. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anAcknowledgementThatDiesWithItsLeaderLeavesNoPlaceBehind(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Hold first = hold(a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        ask(story.actor(), breaking(first));
        story.until(() -> story.seen(Seen.LET_GO_OF_PLACE) > 0, 12 * SECOND);
        story.leader().kill();
        Hold second = (Hold) story.answer(b, waiting, 15 * SECOND);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(a.states()).doesNotContain(SessionState.EXPIRED);
        assertThat(story.cluster().checks().model().places()).isEqualTo(1);
    }

    /** A fail-over in the middle: the next leader gives a full lease, and the operator asks again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aFailOverForgetsTheOrderAndGrantsNothingEarly(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor b = story.actor();
        Actor operator = story.actor();
        Hold first = hold(a, LOCK);
        long waiting = b.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        story.run(SECOND);
        a.process().pause();
        ask(operator, expiring(a));
        story.run(5 * SECOND);
        story.leader().kill();
        story.until(() -> story.cluster().leader() != null, 10 * SECOND);
        story.run(SECOND);
        long failedOver = story.now();
        Outcome.BeingEnded again = ask(operator, expiring(a));
        assertThat(again.waitMillis()).isGreaterThan(8_000);
        story.answer(b, waiting, 15 * SECOND);
        assertThat(story.now() - failedOver).isGreaterThan(8 * SECOND);
        a.process().goOn();
        story.run(5 * SECOND);
        assertThat(a.holds(first)).isFalse();
        assertThat(a.states()).endsWith(SessionState.EXPIRED);
    }

    /** C17: an order names one place with its token, and hits no later hold, not even of the same session. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anOrderForAnOldHoldHitsNoNewerOne(long seed) {
        begin(seed, 3);
        Actor a = story.actor();
        Actor operator = story.actor();
        Hold first = hold(a, LOCK);
        story.answer(a, a.release(first), 5 * SECOND);
        Hold second = hold(a, LOCK);
        long late = operator.breakHold(first);
        assertThat(story.answer(operator, late, 5 * SECOND))
                .isInstanceOfSatisfying(
                        Failure.class, failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_FOUND));
        FencingToken other = new FencingToken(second.token().value() - 1);
        long wrong = operator.ask(new Operation.BreakPlace(second.place(), other));
        assertThat(story.answer(operator, wrong, 5 * SECOND)).isInstanceOf(Failure.class);
        a.process()
                .sendRaw(new ClientFrame.EndingAck(
                        new Ending.OfPlace(new SessionId(a.process().sessionId()), second.place(), second.token())));
        story.run(20 * SECOND);
        assertThat(a.holds(second)).isTrue();
    }

    /** Shared holders go one by one, a waiter goes without anybody being let in. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void sharedHoldersAndWaitersAreBrokenEachByItself(long seed) {
        begin(seed, 3);
        Actor operator = story.actor();
        Actor[] readers = {story.actor(), story.actor()};
        Hold[] holds = new Hold[2];
        for (int i = 0; i < 2; i++) {
            holds[i] = (Hold) story.answer(readers[i], readers[i].acquire(LOCK, SHARED, NO_LIMIT), 5 * SECOND);
        }
        Actor writer = story.actor();
        long writing = writer.acquire(LOCK, EXCLUSIVE, NO_LIMIT);
        Actor late = story.actor();
        story.run(SECOND);
        long reading = late.acquire(LOCK, SHARED, NO_LIMIT);
        story.run(SECOND);
        ask(operator, breaking(holds[0]));
        story.run(11 * SECOND);
        assertThat(readers[0].lost()).containsExactly(holds[0]);
        assertThat(readers[1].holds(holds[1])).isTrue();
        assertThat(writer.isAnswered(writing)).isFalse();

        Query all = new Query.ListPlaces(new NodePath(LOCK), NodePath.ROOT, 10);
        List<Answer.PlaceInfo> places =
                ((Answer.Places) story.answer(operator, operator.read(all), 5 * SECOND)).places();
        assertThat(places).extracting(Answer.PlaceInfo::held).containsExactly(true, false, false);
        ask(
                operator,
                new Operation.BreakPlace(places.get(1).place(), places.get(1).token()));
        story.answer(writer, writing, 5 * SECOND);
        assertThat(writer.failure(writing)).isEqualTo(Failure.Kind.LOST);
        assertThat(story.answer(late, reading, 5 * SECOND)).isInstanceOf(Hold.class);
        assertThat(readers[1].holds(holds[1])).isTrue();
    }
}
