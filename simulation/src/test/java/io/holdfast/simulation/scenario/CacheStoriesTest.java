package io.holdfast.simulation.scenario;

import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.LockMode;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.simulation.process.SimProcess;
import io.holdfast.simulation.process.SimReplica;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The consistent cache as histories on virtual time (R6.1–R6.6, ADR 0014). Every cached read of every actor is compared with what
 * is committed at that instant.
 */
class CacheStoriesTest {
    private static final String FLAG = "/config/flag";
    private static final long LEASE_NANOS = Story.LEASE_MILLIS * Story.MILLI;

    private Story story = Story.caching(1, 3);
    private Actor reader = story.actor();
    private Actor writer = story.actor();

    private void begin(long seed) {
        story = Story.caching(seed, 3);
        reader = story.actor();
        writer = story.actor();
        put(writer, 1);
        story.answer(writer, writer.acquire("/mine", LockMode.EXCLUSIVE, 0), 10 * SECOND);
    }

    private void put(Actor actor, int value) {
        story.answer(actor, actor.put(FLAG, value, Operation.ANY_VERSION), 30 * SECOND);
    }

    private Answer.Value read(Actor actor, String path) {
        return (Answer.Value) story.answer(actor, actor.get(path), 20 * SECOND);
    }

    private static int valueOf(Answer.Value answer) {
        byte[] value = answer.value();
        return value == null ? -1 : value[0];
    }

    /** Reads until the cache answers. */
    private void untilCached(Actor actor, String path) {
        story.until(
                () -> {
                    long before = actor.cachedReads();
                    read(actor, path);
                    return actor.cachedReads() > before;
                },
                20 * SECOND);
    }

    private Answer.Caches caches() {
        Actor observer = story.actor();
        Answer.Status status =
                (Answer.Status) story.answer(observer, observer.read(new Query.CellStatus()), 10 * SECOND);
        return status.caches();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatWasReadOnceIsAnsweredFromMemoryUntilItIsWritten(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        long before = reader.cachedReads();
        for (int i = 0; i < 100; i++) {
            assertThat(valueOf(read(reader, FLAG))).isEqualTo(1);
            story.run(SECOND / 2);
        }
        assertThat(reader.cachedReads() - before).isEqualTo(100);
        long started = story.now();
        put(writer, 2);
        assertThat(story.now() - started).isLessThan(SECOND);
        assertThat(valueOf(read(reader, FLAG))).isEqualTo(2);
        untilCached(reader, FLAG);
        story.agree();
    }

    /** That there is none is cached too; taking a lock below it changes nothing of that, and waits for nobody. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void absenceIsCachedAndLocksDoNotWait(long seed) {
        begin(seed);
        untilCached(reader, "/jobs");
        reader.process().pause();
        long started = story.now();
        story.answer(writer, writer.acquire("/jobs/reindex", LockMode.EXCLUSIVE, 0), 10 * SECOND);
        assertThat(story.now() - started).isLessThan(SECOND);
        reader.process().goOn();
        untilCached(reader, "/jobs"); // the container of the lock is no value (R6.1)
        story.answer(writer, writer.put("/jobs", 1, Operation.ANY_VERSION), 10 * SECOND); // refused: it is a container
        assertThat(valueOf(read(reader, "/new"))).isEqualTo(-1);
        untilCached(reader, "/new");
        story.answer(writer, writer.put("/new", 5, Operation.MUST_NOT_EXIST), 10 * SECOND);
        assertThat(valueOf(read(reader, "/new"))).isEqualTo(5);
    }

    /** A frozen client delays a write by at most one lease, is named meanwhile, and reads nothing old when it wakes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aFrozenClientDelaysAWriteByAtMostItsLease(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        reader.process().pause();
        long started = story.now();
        long write = writer.put(FLAG, 2, Operation.ANY_VERSION);
        story.run(3 * SECOND);
        assertThat(writer.isAnswered(write)).isFalse();
        Answer.Caches caches = caches();
        assertThat(caches.writesWaiting()).isEqualTo(1);
        assertThat(caches.waitsFor()).singleElement().satisfies(wait -> {
            assertThat(wait.session()).isEqualTo(new SessionId(reader.process().sessionId()));
            assertThat(wait.clientName()).isEqualTo(reader.process().name());
            assertThat(wait.paths()).isEqualTo(1);
            assertThat(wait.remainingMillis()).isBetween(1L, Story.LEASE_MILLIS);
        });
        Answer.Value meanwhile = read(writer, FLAG); // reads go on, with what is committed
        assertThat(valueOf(meanwhile)).isEqualTo(1);
        story.answer(writer, write, LEASE_NANOS);
        assertThat(story.now() - started).isBetween(3 * SECOND, LEASE_NANOS + SECOND);
        assertThat(writer.states()).containsExactly(SessionState.SAFE);
        reader.process().goOn();
        assertThat(valueOf(read(reader, FLAG))).isEqualTo(2);
    }

    /** R6.3: definitely not done, also later, when the one that it waited for has let go. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aWriteWhoseTimePassesIsWithdrawn(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        reader.process().pause();
        long write = writer.put(FLAG, 2, Operation.ANY_VERSION, 3 * SECOND);
        Failure failure = (Failure) story.answer(writer, write, 3 * SECOND);
        assertThat(failure.kind()).isEqualTo(Failure.Kind.REFUSED);
        assertThat(failure.code()).isEqualTo(ErrorCode.WITHDRAWN);
        assertThat(failure.definite()).isTrue();
        reader.process().goOn();
        story.run(20 * SECOND);
        assertThat(valueOf(read(reader, FLAG))).isEqualTo(1);
        untilCached(reader, FLAG); // and it is cached again
    }

    /** R6.3: a compare-and-set that fails is answered at once, invalidates nothing and consumes no watch. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCompareAndSetThatFailsWaitsForNobody(long seed) {
        begin(seed);
        long watch = reader.watch(FLAG);
        untilCached(reader, FLAG);
        reader.process().pause();
        long started = story.now();
        Failure failure = (Failure) story.answer(writer, writer.put(FLAG, 2, 77), 10 * SECOND);
        assertThat(failure.code()).isEqualTo(ErrorCode.BAD_VERSION);
        assertThat(story.now() - started).isLessThan(SECOND);
        assertThat(caches().waitsFor()).isEmpty();
        reader.process().goOn();
        long before = reader.cachedReads();
        read(reader, FLAG);
        assertThat(reader.cachedReads()).isEqualTo(before + 1); // still cached
        assertThat(reader.fired(watch)).isZero();
        put(writer, 3);
        story.until(() -> reader.fired(watch) == 1, 5 * SECOND);
    }

    /** R6.6: leader and reader are cut off together; the next leader writes nothing before the reader has stopped believing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void afterAFailOverNothingIsWrittenBeforeOldCachesAreOver(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        SimReplica old = story.leader();
        List<SimProcess> minority = List.of(old, reader.process());
        partition(minority);
        story.until(() -> story.cluster().leader() != old && story.cluster().leader() != null, 20 * SECOND);
        long lock = writer.acquire("/other", LockMode.EXCLUSIVE, 0);
        long write = writer.put(FLAG, 2, Operation.ANY_VERSION);
        story.until(
                () -> {
                    reader.get(FLAG); // checked against what is committed, as long as the cache answers
                    story.run(100 * Story.MILLI);
                    return writer.isAnswered(lock);
                },
                10 * SECOND);
        assertThat(writer.isAnswered(write)).isFalse(); // locks do not wait, values do
        story.until(
                () -> {
                    reader.get(FLAG);
                    story.run(100 * Story.MILLI);
                    return writer.isAnswered(write);
                },
                LEASE_NANOS + 5 * SECOND);
        minority.forEach(story::reconnect);
        assertThat(valueOf(read(reader, FLAG))).isEqualTo(2);
        story.agree();
    }

    private void partition(List<SimProcess> minority) {
        for (SimProcess inside : minority) {
            for (SimProcess outside : story.cluster().processes()) {
                if (!minority.contains(outside)) {
                    story.cluster().network().breakPath(inside.hostId(), outside.hostId());
                    story.cluster().network().breakPath(outside.hostId(), inside.hostId());
                }
            }
        }
    }

    /** R6.6: clients that are there acknowledge at once, so a fail-over costs writes no lease. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void afterAFailOverClientsThatAreThereCostNoLease(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        story.leader().kill();
        long started = story.now();
        put(writer, 2);
        assertThat(story.now() - started).isLessThan(8 * SECOND);
        assertThat(valueOf(read(reader, FLAG))).isEqualTo(2);
        untilCached(reader, FLAG);
    }

    /** A killed client is waited for at most one lease; so is one whose end an operator has asked for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aKilledClientDelaysAWriteByAtMostItsLease(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        SessionId session = new SessionId(reader.process().sessionId());
        reader.process().kill();
        long started = story.now();
        long write = writer.put(FLAG, 2, Operation.ANY_VERSION);
        Actor operator = story.actor();
        Outcome.BeingEnded ending = (Outcome.BeingEnded)
                story.answer(operator, operator.ask(new Operation.EndSession(session)), 10 * SECOND);
        assertThat(ending.session()).isEqualTo(session);
        story.answer(writer, write, LEASE_NANOS + SECOND);
        assertThat(story.now() - started).isLessThan(LEASE_NANOS + SECOND);
    }

    /** R6.5, R3.4: nothing is left of it when the session is SAFE again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jeopardyEmptiesTheCache(long seed) {
        begin(seed);
        untilCached(reader, FLAG);
        story.cutOff(reader.process());
        story.until(() -> reader.process().state() == SessionState.JEOPARDY, LEASE_NANOS + SECOND);
        long before = reader.cachedReads();
        long asked = reader.get(FLAG);
        story.run(SECOND);
        assertThat(reader.isAnswered(asked)).isFalse(); // R3.4: it waits
        story.reconnect(reader.process());
        story.answer(reader, asked, 20 * SECOND);
        assertThat(reader.cachedReads()).isEqualTo(before); // R6.5: nothing was left
    }
}
