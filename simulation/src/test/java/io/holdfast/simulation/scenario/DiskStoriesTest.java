package io.holdfast.simulation.scenario;

import static io.holdfast.model.LockMode.EXCLUSIVE;
import static io.holdfast.simulation.scenario.Actor.NO_LIMIT;
import static io.holdfast.simulation.scenario.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.process.SimReplica;
import io.holdfast.simulation.world.Seen;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios about disks that are full, as histories on virtual time. Each runs with several seeds. */
final class DiskStoriesTest {
    /** C70, on a majority: a clean refusal, no half grants, no session lost, and nothing is done late that was refused. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aMajorityWithFullDisksRefusesAndKeepsSessionsAlive(long seed) {
        Story story = Story.of(seed, 3);
        Actor holder = story.actor();
        Hold hold = (Hold) story.answer(holder, holder.acquire("/a", EXCLUSIVE, NO_LIMIT), 20 * SECOND);
        Actor writer = story.actor();
        story.answer(writer, writer.put("/v", 1, Operation.MUST_NOT_EXIST), 20 * SECOND);
        SimReplica leader = story.leader();
        for (SimReplica replica : story.cluster().replicas()) {
            if (replica != leader) {
                replica.disk().limitTo(replica.disk().usedBytes());
            }
        }
        long out = writer.put("/v", 2, Operation.ANY_VERSION);
        story.run(4 * SECOND);
        long refused = writer.put("/v", 3, Operation.ANY_VERSION, 5 * SECOND);
        long patient = holder.acquire("/b", EXCLUSIVE, NO_LIMIT);
        story.run(30 * SECOND);
        assertThat(writer.isAnswered(out)).isFalse();
        assertThat(writer.failure(refused)).isEqualTo(Failure.Kind.UNREACHABLE); // certainly not done
        assertThat(holder.isAnswered(patient)).isFalse();
        assertThat(story.leader()).isSameAs(leader);
        assertThat(holder.holds(hold)).isTrue();
        assertThat(holder.states()).doesNotContain(SessionState.JEOPARDY);
        assertThat(story.cluster().world().coverage().count(Seen.COMMITS_STALLED))
                .isEqualTo(1);

        story.cluster().replicas().forEach(replica -> replica.disk().limitTo(Long.MAX_VALUE));
        assertThat(story.answer(writer, out, 10 * SECOND)).isInstanceOf(Outcome.Written.class);
        Answer.Value read = (Answer.Value) story.answer(writer, writer.get("/v"), 10 * SECOND);
        assertThat(read.value()).containsExactly((byte) 2);
        assertThat(story.answer(writer, writer.put("/v", 4, read.version()), 10 * SECOND))
                .isInstanceOf(Outcome.Written.class);
        assertThat(holder.holds((Hold) story.answer(holder, patient, 10 * SECOND)))
                .isTrue();
        assertThat(holder.holds(hold)).isTrue();
        story.agree();
    }
}
