package io.holdfast.raft;

import static io.holdfast.raft.TestCore.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftOutput.ReadConfirmed;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sentences of the thesis §6.4 and of rule R2.6. */
class ReadIndexPaperTest {
    private static void read(TestCore core, long tag) {
        core.step(new RaftInput.ReadIndex(tag));
    }

    /** "If the leader has not yet marked an entry from its current term committed, it waits until it has done so." */
    @Test
    void waitsForTheNoopOfItsTerm() {
        TestCore core = TestCore.ofThree(1, 1);
        core.elect("r2");
        read(core, 1);
        core.ack("r2", 2, 1);
        core.ack("r3", 2, 1);
        assertThat(core.reads).isEmpty();
        core.ack("r2", 3);
        core.ack("r2", 3, 1);
        assertThat(core.reads).containsExactly(new ReadConfirmed(1, 3));
    }

    /** "It issues a new round of heartbeats and waits for their acknowledgments from a majority of the cluster." */
    @Test
    void asksEveryVoterAtOnceAndWaitsForAMajority() {
        TestCore core = TestCore.ofFive().lead("r2", "r3");
        read(core, 1);
        assertThat(core.sent(AppendRequest.class)).hasSize(4).allMatch(request -> request.round() == 1);
        core.ack("r2", 1, 1);
        core.ack("r2", 1, 1);
        assertThat(core.reads).isEmpty();
        core.ack("r3", 1, 1);
        assertThat(core.reads).containsExactly(new ReadConfirmed(1, 1));
    }

    /** R2.6: "Nobody joins a running round." */
    @Test
    void nobodyJoinsARunningRound() {
        TestCore core = TestCore.ofThree().lead("r2");
        read(core, 1);
        read(core, 2);
        core.ack("r2", 1, 1);
        assertThat(core.reads).extracting(ReadConfirmed::tag).containsExactly(1L);
        core.ack("r2", 1, 2);
        assertThat(core.reads).extracting(ReadConfirmed::tag).containsExactly(1L, 2L);
    }

    /** R2.6: "One round serves the whole batch that arrived before it." */
    @Test
    void oneRoundServesABatch() {
        TestCore core = TestCore.ofThree().lead("r2");
        for (long tag = 1; tag <= 3; tag++) {
            core.core.step(new RaftInput.ReadIndex(tag), core.now);
        }
        core.step(new RaftInput.Tick());
        assertThat(core.sent(AppendRequest.class)).hasSize(2);
        core.ack("r3", 0, 1);
        assertThat(core.reads).hasSize(3);
    }

    @Test
    void roundsInFlightAreBounded() {
        TestCore core = TestCore.ofThree().lead("r2");
        for (long tag = 1; tag <= 20; tag++) {
            read(core, tag);
        }
        AppendRequest newest = core.lastTo("r2", AppendRequest.class);
        assertThat(newest).isNotNull();
        assertThat(newest.round()).isEqualTo(ReadRounds.MAX_ROUNDS);
        core.ack("r2", 1, 8);
        core.ack("r2", 1, 9);
        assertThat(core.reads).hasSize(20);
    }

    @Test
    void echoesOfLearnersStrangersAndOtherTermsDoNotCount() {
        Membership membership =
                new Membership(TestCore.voters("r1", "r2", "r3").voters(), new TreeSet<>(List.of(id("r9"))));
        TestCore core = TestCore.of(membership).lead("r2");
        read(core, 1);
        core.ack("r9", 1, 1);
        core.ack("x", 1, 1);
        core.receive("r2", new AppendResponse(0, true, 0, 0, 0, 1));
        assertThat(core.reads).isEmpty();
        core.receive("r2", new AppendResponse(1, false, 0, 0, 0, 1)); // a refusal still recognises the leader
        assertThat(core.reads).hasSize(1);
    }

    @Test
    void aLostRoundIsAskedAgainByTheNextHeartbeat() {
        TestCore core = TestCore.ofThree().lead("r2");
        read(core, 1);
        core.clear();
        core.tick();
        assertThat(core.sent(AppendRequest.class)).hasSize(2).allMatch(request -> request.round() == 1);
    }

    /** The echo need not wait for the follower's disk: it speaks of leadership, not of entries. */
    @Test
    void aFollowerEchoesARoundWithoutWaitingForItsDisk() {
        TestCore core = TestCore.ofThree(1);
        core.append("r2", 1, 1, 1, 0);
        core.holdDisk();
        core.clear();
        core.receive("r2", new AppendRequest(1, 1, 1, List.of(TestCore.entry(2, 1)), 0, 4));
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(1, true, 1, 0, 0, 4));
    }
}
