package io.holdfast.raft;

import static io.holdfast.raft.TestCore.entry;
import static io.holdfast.raft.TestCore.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftOutput.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences of the thesis, §3.5, §3.6.2, §10.2, and the limits around them. */
class ReplicationPaperTest {
    /** "The leader appends the command to its log … then issues AppendEntries RPCs in parallel." */
    @Test
    void sendsWithoutWaitingForItsOwnDisk() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        core.propose(10);
        assertThat(core.sentTo("r2", AppendRequest.class)).hasSize(1);
    }

    /** "The leader may even commit an entry before it has been written to its own disk, if a majority of followers
     * have" (§10.2.1); but it hands it out only when its own disk has it, and it counts itself only then. */
    @Test
    void countsItselfOnlyWhenItsDiskHasConfirmed() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        core.propose(10);
        core.ack("r2", 2);
        assertThat(core.status().commitIndex()).isEqualTo(1);
        core.ack("r3", 2);
        assertThat(core.status().commitIndex()).isEqualTo(2);
        assertThat(core.committed).isEmpty();
        core.confirmAll();
        assertThat(core.committed).extracting(LogEntry::index).containsExactly(2L);
    }

    /** "Raft never commits log entries from previous terms by counting replicas" (§3.6.2, figure 3.8). */
    @Test
    void doesNotCommitAnOldTermsEntryByCounting() {
        TestCore core = TestCore.ofThree(1, 2);
        core.elect("r2");
        core.ack("r2", 2);
        core.ack("r3", 2);
        assertThat(core.status().commitIndex()).isZero();
        core.ack("r2", 3);
        assertThat(core.status().commitIndex()).isEqualTo(3);
    }

    /** "If the follower does not find an entry in its log with the same index and term, then it refuses." */
    @Test
    void refusesWhatDoesNotFitAndHintsPastAWholeTerm() {
        TestCore core = TestCore.ofThree(1, 4, 4, 4, 4);
        core.append("r2", 5, 5, 3, 0);
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(5, false, 0, 1, 1, 0));
        core.append("r2", 5, 9, 5, 0);
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(5, false, 0, 5, 4, 0));
    }

    /** "… the leader can decrement nextIndex to bypass all of the conflicting entries in that term." */
    @Test
    void leaderSkipsAWholeTermPerProbe() {
        TestCore core = TestCore.ofThree(1, 1, 3, 3, 3, 3);
        core.elect("r2");
        core.clear();
        core.receive("r3", new AppendResponse(4, false, 0, 6, 2, 0));
        AppendRequest probe = core.lastTo("r3", AppendRequest.class);
        assertThat(probe).isNotNull();
        assertThat(probe.prevIndex()).isEqualTo(2);
        assertThat(probe.entries()).isEmpty();
        core.ack("r3", 2);
        AppendRequest rest = core.lastTo("r3", AppendRequest.class);
        assertThat(rest).isNotNull();
        assertThat(rest.entries()).extracting(LogEntry::index).startsWith(3L);
    }

    /** "If an existing entry conflicts with a new one, delete the existing entry and all that follow it." */
    @Test
    void replacesConflictingEntries() {
        TestCore core = TestCore.ofThree(1, 2, 2, 2);
        core.append("r2", 3, 1, 1, 0, entry(2, 3));
        assertThat(core.core.retainedEntries()).extracting(LogEntry::term).containsExactly(1L, 3L);
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(3, true, 2, 0, 0, 0));
    }

    /** "… truncating only on conflict": an old, shorter append must not cut off what came after it. */
    @Test
    void anOldAppendCutsNothingOff() {
        TestCore core = TestCore.ofThree(1);
        core.append("r2", 1, 1, 1, 0, entry(2, 1), entry(3, 1));
        core.append("r2", 1, 1, 1, 0, entry(2, 1));
        assertThat(core.status().lastIndex()).isEqualTo(3);
    }

    @Test
    void neverOverwritesACommittedEntry() {
        TestCore core = TestCore.ofThree(1, 1);
        core.append("r2", 1, 2, 1, 2);
        assertThatThrownBy(() -> core.append("r3", 2, 1, 1, 0, entry(2, 2))).isInstanceOf(InvariantViolation.class);
    }

    /** "commitIndex = min(leaderCommit, index of last new entry)" (figure 3.1). */
    @Test
    void commitsNoFurtherThanVerified() {
        TestCore core = TestCore.ofThree(1, 1, 1);
        core.append("r2", 2, 1, 1, 3);
        assertThat(core.status().commitIndex()).isEqualTo(1);
    }

    @Test
    void acknowledgesOnlyWhatIsDurable() {
        TestCore core = TestCore.ofThree(1);
        core.append("r2", 1, 1, 1, 0);
        core.clear();
        core.holdDisk();
        core.append("r2", 1, 1, 1, 2, entry(2, 1));
        assertThat(core.sent).isEmpty();
        assertThat(core.committed).extracting(LogEntry::index).containsExactly(1L);
        core.append("r2", 1, 2, 1, 2); // a heartbeat is answered at once, with what is durable
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(1, true, 1, 0, 0, 0));
        core.confirmAll();
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(1, true, 2, 0, 0, 0));
        assertThat(core.committed).extracting(LogEntry::index).containsExactly(1L, 2L);
    }

    /** Confirmation of a write that was cut off meanwhile must not count for what replaced it. */
    @Test
    void aLateConfirmationDoesNotCountForReplacedEntries() {
        TestCore core = TestCore.ofThree(1);
        core.append("r2", 1, 1, 1, 0);
        core.holdDisk();
        core.append("r2", 1, 1, 1, 0, entry(2, 1), entry(3, 1));
        long first = core.persists.get(core.persists.size() - 1).sequence();
        core.append("r3", 2, 1, 1, 0, entry(2, 2), entry(3, 2));
        core.clear();
        core.step(new RaftInput.Persisted(first));
        assertThat(core.sent(AppendResponse.class)).allMatch(response -> response.matchIndex() <= 1);
        core.confirmAll();
        assertThat(core.lastTo("r3", AppendResponse.class)).isEqualTo(new AppendResponse(2, true, 3, 0, 0, 0));
    }

    @Test
    void pipelinesUpToTheLimitsAndGoesOnWhenAcknowledged() {
        TestCore core = TestCore.ofThree().lead("r2");
        for (int i = 0; i < 8; i++) {
            core.propose(60);
        }
        assertThat(core.sentTo("r2", AppendRequest.class)).hasSize(4);
        core.ack("r2", 3);
        List<AppendRequest> sent = core.sentTo("r2", AppendRequest.class);
        assertThat(sent).hasSize(6);
        assertThat(sent.get(4).entries()).hasSize(2); // 2 × 92 bytes fit into 200
        assertThat(sent.get(4).prevIndex()).isEqualTo(5);
    }

    /** A stuck window recovers by heartbeats: the peer refuses what does not follow, and gets it again. */
    @Test
    void resendsWhatWasLost() {
        TestCore core = TestCore.ofThree().lead("r2");
        for (int i = 0; i < 4; i++) {
            core.propose(10);
        }
        core.clear();
        core.tick();
        AppendRequest heartbeat = core.lastTo("r2", AppendRequest.class);
        assertThat(heartbeat).isNotNull();
        assertThat(heartbeat.prevIndex()).isEqualTo(5);
        core.receive("r2", new AppendResponse(1, false, 0, 1, 1, 0));
        AppendRequest again = core.lastTo("r2", AppendRequest.class);
        assertThat(again).isNotNull();
        assertThat(again.prevIndex()).isEqualTo(1);
        assertThat(again.entries()).hasSize(4);
    }

    @Test
    void refusesProposalsAboveTheLimitButTakesASingleLargeOne() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.propose(5_000);
        assertThat(core.refused).isEmpty();
        core.propose(1);
        assertThat(core.refused).extracting(Refused::reason).containsExactly(Refused.Reason.BUSY);
        core.ack("r2", 2);
        core.propose(1);
        assertThat(core.refused).hasSize(1);
    }

    @Test
    void aFollowerRefusesProposals() {
        TestCore core = TestCore.ofThree();
        core.propose(1);
        core.step(new RaftInput.ProposeMembership(2, new MembershipChange.Remove(id("r2"))));
        core.step(new RaftInput.ReadIndex(3));
        assertThat(core.refused).hasSize(3).allMatch(refused -> refused.reason() == Refused.Reason.NOT_LEADER);
    }

    @Test
    void aHoleIsNeverTaken() {
        TestCore core = TestCore.ofThree(1);
        assertThatThrownBy(() -> core.append("r2", 1, 1, 1, 0, entry(3, 1))).isInstanceOf(InvariantViolation.class);
    }
}
