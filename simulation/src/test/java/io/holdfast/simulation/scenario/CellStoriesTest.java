package io.holdfast.simulation.scenario;

import static io.holdfast.model.LockMode.EXCLUSIVE;
import static io.holdfast.simulation.scenario.Actor.NO_LIMIT;
import static io.holdfast.simulation.scenario.Story.MILLI;
import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.Hold;
import io.holdfast.model.Answer;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.Seen;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios about replicas and their log, as histories on virtual time. Each runs with several seeds. */
class CellStoriesTest {
    /** C08, C36, C39: whatever was acknowledged is there after all replicas lost their power, and no read is older. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void acknowledgedWritesOutliveAPowerCut(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        long version = -1;
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 10; i++) {
                long call = a.put("/counter", i, version < 0 ? Operation.MUST_NOT_EXIST : version);
                version = ((Outcome.Written) story.answer(a, call, 20 * SECOND)).version();
            }
            story.cluster().replicas().forEach(SimReplica::kill);
            story.run(500 * MILLI);
            story.cluster().replicas().forEach(SimReplica::start);
            Answer.Value read = (Answer.Value) story.answer(a, a.get("/counter"), 20 * SECOND);
            assertThat(read.version()).isEqualTo(version);
        }
        story.agree();
    }

    /** C10, C12: a replica that missed much catches up by a snapshot, may die while it does, and then leads as well. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aLaggingReplicaCatchesUpBySnapshotAndLeads(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        SimReplica lagging = story.cluster().replicas().stream()
                .filter(replica -> !replica.isLeader())
                .findFirst()
                .orElseThrow();
        lagging.kill();
        for (int i = 0; i < 1_500; i++) {
            story.answer(a, a.put("/k" + i % 20, i, Operation.ANY_VERSION), 5 * SECOND);
        }
        lagging.start();
        story.run(story.cluster().world().rng().below(60 * MILLI));
        lagging.kill();
        lagging.start();
        story.until(() -> story.cluster().checks().applied(lagging.hostId()) >= 1_500, 20 * SECOND);
        story.leader().transferLeadership(lagging.name());
        story.until(lagging::isLeader, 10 * SECOND);
        Answer.Value read = (Answer.Value) story.answer(a, a.get("/k19"), 10 * SECOND);
        assertThat(read.value()).containsExactly((byte) 1_499);
        assertThat(story.cluster().world().coverage().count(Seen.TAKEOVER)).isGreaterThanOrEqualTo(2);
        story.agree();
    }

    /** C13, C64: replicas die every few seconds while sessions come and go; they agree, and nothing is orphaned. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void sessionsComeAndGoWhileReplicasDie(long seed) {
        Story story = Story.of(seed, 3);
        for (int round = 0; round < 12; round++) {
            Actor actor = story.actor();
            story.answer(actor, actor.acquire("/lock" + round, EXCLUSIVE, NO_LIMIT), 20 * SECOND);
            actor.acquire("/busy", EXCLUSIVE, NO_LIMIT);
            SimReplica victim = story.cluster().replicas().get(round % 3);
            victim.kill();
            story.run(SECOND);
            if (round % 2 == 0) {
                actor.process().kill();
            }
            victim.start();
            story.run(SECOND);
        }
        story.cluster().clients().forEach(client -> client.kill());
        story.until(() -> story.cluster().checks().model().sessions() == 0, 60 * SECOND);
        assertThat(story.cluster().checks().model().places()).isZero();
        story.agree();
    }

    /** C16: a replica whose disk was replaced neither votes nor counts, so what was committed cannot be lost. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aWipedReplicaDoesNotVote(long seed) {
        Story story = Story.of(seed, 5);
        Actor a = story.actor();
        List<SimReplica> others = story.cluster().replicas().stream()
                .filter(replica -> !replica.isLeader())
                .toList();
        story.cutOff(others.get(0));
        story.cutOff(others.get(1));
        story.answer(a, a.put("/x", 1, Operation.ANY_VERSION), 20 * SECOND);
        story.cluster().replicas().forEach(SimReplica::kill);
        others.get(2).wipe();
        story.cluster().network().heal();
        others.get(0).start();
        others.get(1).start();
        others.get(2).start();
        story.run(30 * SECOND);
        assertThat(story.cluster().leader()).isNull();

        story.cluster().replicas().forEach(SimReplica::start);
        Answer.Value read = (Answer.Value) story.answer(a, a.get("/x"), 30 * SECOND);
        assertThat(read.value()).containsExactly((byte) 1);
    }

    /** C16: a disk that kept the identity but not the log: its votes and acknowledgements are gone, so it stays out. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aReplicaThatLostItsLogDoesNotVote(long seed) throws IOException {
        Story story = Story.of(seed, 5);
        Actor a = story.actor();
        List<SimReplica> others = story.cluster().replicas().stream()
                .filter(replica -> !replica.isLeader())
                .toList();
        story.cutOff(others.get(0));
        story.cutOff(others.get(1));
        story.answer(a, a.put("/x", 1, Operation.ANY_VERSION), 20 * SECOND);
        story.cluster().replicas().forEach(SimReplica::kill);
        others.get(2).loseLog();
        story.cluster().network().heal();
        others.subList(0, 3).forEach(SimReplica::start);
        story.run(30 * SECOND);
        assertThat(story.cluster().leader()).isNull();
        assertThat(others.get(2).isAlive()).isFalse();

        story.cluster().replicas().forEach(SimReplica::start);
        Answer.Value read = (Answer.Value) story.answer(a, a.get("/x"), 30 * SECOND);
        assertThat(read.value()).containsExactly((byte) 1);
    }

    /** C33: a hand-over that was overtaken by a later one takes nothing back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSlowHandOverTakesNothingBack(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire("/l", EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        for (SimReplica replica : story.cluster().replicas()) {
            if (!replica.isLeader()) {
                replica.pause();
            }
        }
        story.cutStreams(a);
        story.run(SECOND);
        story.cluster().replicas().forEach(SimReplica::goOn);
        story.run(10 * SECOND);
        assertThat(a.holds(hold)).isTrue();
        assertThat(story.answer(a, a.release(hold), 5 * SECOND)).isEqualTo(new Outcome.Released(true));
    }

    /** C46: an automatic retry cannot turn success into conflict. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRetriedCompareAndSetIsNoConflict(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        story.answer(a, a.put("/v", 0, Operation.MUST_NOT_EXIST), 5 * SECOND);
        for (int version = 0; version < 10; version++) {
            story.loseReplies(a);
            long call = a.put("/v", version, version);
            story.run(200 * MILLI);
            if (version % 3 == 0) {
                story.leader().kill();
            }
            story.cutStreams(a);
            assertThat(((Outcome.Written) story.answer(a, call, 20 * SECOND)).version())
                    .isEqualTo(version + 1);
            story.cluster().replicas().forEach(SimReplica::start);
            story.run(2 * SECOND);
        }
    }

    /** C84: a replica that comes and goes does not depose a healthy leader. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aFlappingReplicaDeposesNobody(long seed) {
        Story story = Story.of(seed, 3);
        Actor a = story.actor();
        Hold hold = (Hold) story.answer(a, a.acquire("/l", EXCLUSIVE, NO_LIMIT), 5 * SECOND);
        SimReplica leader = story.leader();
        SimReplica flapping = story.cluster().replicas().stream()
                .filter(replica -> replica != leader)
                .findFirst()
                .orElseThrow();
        long leaders = story.cluster().world().coverage().count(Seen.LEADER_CHANGED);
        for (int i = 0; i < 20; i++) {
            if (i % 3 == 0) {
                story.cutOff(flapping);
            } else {
                for (SimReplica other : story.cluster().replicas()) {
                    int from = i % 3 == 1 ? flapping.hostId() : other.hostId();
                    int to = i % 3 == 1 ? other.hostId() : flapping.hostId();
                    if (from != to) {
                        story.cluster().network().breakPath(from, to);
                    }
                }
            }
            story.run(5 * SECOND);
            story.reconnect(flapping);
            story.run(5 * SECOND);
        }
        assertThat(story.cluster().world().coverage().count(Seen.LEADER_CHANGED))
                .isEqualTo(leaders);
        assertThat(story.leader()).isSameAs(leader);
        assertThat(a.holds(hold)).isTrue();
    }
}
