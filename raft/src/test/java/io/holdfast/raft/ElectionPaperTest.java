package io.holdfast.raft;

import static io.holdfast.raft.TestCore.MILLI;
import static io.holdfast.raft.TestCore.entry;
import static io.holdfast.raft.TestCore.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Role;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Sentences of the thesis, §3.4, §3.6, §4.1, §4.2.3, §9.6. */
class ElectionPaperTest {
    /** "When servers start up, they begin as followers." */
    @Test
    void beginsAsFollower() {
        TestCore core = TestCore.ofThree();
        assertThat(core.status().role()).isEqualTo(Role.FOLLOWER);
        assertThat(core.sent).isEmpty();
    }

    /** "If a follower receives no communication over a period of time called the election timeout …" */
    @Test
    void asksAfterAnElectionTimeoutAndNotBefore() {
        TestCore core = TestCore.ofThree();
        core.advance(999);
        assertThat(core.status().role()).isEqualTo(Role.FOLLOWER);
        core.advance(1_001);
        assertThat(core.status().role()).isEqualTo(Role.PRE_CANDIDATE);
    }

    /** "… it would only increment its term if it first learned that a majority would vote for it" (§9.6). */
    @Test
    void raisesItsTermOnlyAfterAMajorityPreVoted() {
        TestCore core = TestCore.ofFive();
        core.tick();
        core.receive("r2", new PreVoteResponse(0, 1, true));
        core.receive("r3", new PreVoteResponse(0, 1, false));
        core.receive("r2", new PreVoteResponse(0, 1, true));
        assertThat(core.term()).isZero();
        core.receive("r4", new PreVoteResponse(0, 1, true));
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
        assertThat(core.term()).isEqualTo(1);
    }

    /** "A candidate wins an election if it receives votes from a majority of the servers for the same term." */
    @Test
    void winsWithAMajorityOfItsTermOnly() {
        TestCore core = TestCore.ofFive();
        core.elect("r2", "r3");
        assertThat(core.status().isLeader()).isTrue();

        TestCore other = TestCore.ofFive(3);
        other.tick();
        other.receive("r2", new PreVoteResponse(3, 4, true));
        other.receive("r3", new PreVoteResponse(3, 4, true));
        other.receive("r2", new VoteResponse(4, true));
        other.receive("r3", new VoteResponse(3, true));
        assertThat(other.status().role()).isEqualTo(Role.CANDIDATE);
    }

    /** "Each server will vote for at most one candidate in a given term, on a first-come-first-served basis." */
    @Test
    void votesOncePerTermAlsoAfterARestart() {
        TestCore core = TestCore.ofThree();
        core.receive("r2", new VoteRequest(5, 0, 0, false));
        core.receive("r3", new VoteRequest(5, 0, 0, false));
        core.receive("r2", new VoteRequest(5, 0, 0, false));
        assertThat(core.sentTo("r2", VoteResponse.class)).allMatch(VoteResponse::granted);
        assertThat(core.sentTo("r3", VoteResponse.class)).noneMatch(VoteResponse::granted);

        TestCore restarted = new TestCore(
                id("r1"),
                new RestoredState(core.core.hardState(), null, TestCore.voters("r1", "r2", "r3"), 0, 0, List.of()));
        restarted.receive("r3", new VoteRequest(5, 0, 0, false));
        assertThat(restarted.sentTo("r3", VoteResponse.class)).noneMatch(VoteResponse::granted);
    }

    /** "… servers persist the current term and vote before responding to RPCs" (figure 3.1). */
    @Test
    void tellsItsVoteOnlyWhenItIsDurable() {
        TestCore core = TestCore.ofThree();
        core.holdDisk();
        core.receive("r2", new VoteRequest(5, 0, 0, false));
        assertThat(core.sent).isEmpty();
        core.confirmAll();
        assertThat(core.sentTo("r2", VoteResponse.class)).containsExactly(new VoteResponse(5, true));
    }

    @Test
    void candidateAsksOnlyWhenItsOwnVoteIsDurable() {
        TestCore core = TestCore.ofThree();
        core.holdDisk();
        core.tick();
        core.receive("r2", new PreVoteResponse(0, 1, true));
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
        assertThat(core.sent(VoteRequest.class)).isEmpty();
        core.confirmAll();
        assertThat(core.sent(VoteRequest.class)).hasSize(2);
    }

    /** "… the voter denies its vote if its own log is more up-to-date than that of the candidate" (§3.6.1). */
    @Test
    void deniesItsVoteToALogThatLacksSomething() {
        TestCore core = TestCore.ofThree(1, 2, 2);
        core.receive("r2", new VoteRequest(3, 9, 1, false));
        core.receive("r2", new VoteRequest(3, 2, 2, false));
        assertThat(core.sent(VoteResponse.class)).noneMatch(VoteResponse::granted);
        core.receive("r3", new VoteRequest(3, 3, 2, false));
        assertThat(core.lastTo("r3", VoteResponse.class)).isEqualTo(new VoteResponse(3, true));
    }

    /** "If a server receives a RequestVote request within the minimum election timeout of hearing from a current
     * leader, it does not update its term or grant its vote" (§4.2.3). */
    @Test
    void isLoyalToALeaderThatItHears() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.clear();
        core.now += 900 * MILLI;
        core.receive("r3", new VoteRequest(7, 9, 9, false));
        core.receive("r3", new PreVoteRequest(7, 9, 9));
        assertThat(core.term()).isEqualTo(1);
        assertThat(core.sent(VoteResponse.class)).isEmpty();
        assertThat(core.sent(PreVoteResponse.class)).noneMatch(PreVoteResponse::granted);
        core.now += 200 * MILLI;
        core.receive("r3", new PreVoteRequest(7, 9, 9));
        assertThat(core.lastTo("r3", PreVoteResponse.class)).isEqualTo(new PreVoteResponse(1, 7, true));
    }

    @Test
    void aLeaderIsLoyalToItself() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.receive("r3", new VoteRequest(7, 9, 9, false));
        assertThat(core.status().isLeader()).isTrue();
    }

    /** "… a special flag in the request to indicate … permission to disrupt the leader" (§4.2.3). */
    @Test
    void transferOverridesLoyalty() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.receive("r3", new VoteRequest(2, 0, 0, true));
        assertThat(core.lastTo("r3", VoteResponse.class)).isEqualTo(new VoteResponse(2, true));
    }

    /** "If a candidate or leader discovers that its term is out of date, it immediately reverts to follower." */
    @Test
    void aNewerTermDeposes() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.receive("r3", new AppendResponse(9, false, 0, 0, 0, 0));
        assertThat(core.status().role()).isEqualTo(Role.FOLLOWER);
        assertThat(core.term()).isEqualTo(9);
    }

    /** "If a server receives a request with a stale term number, it rejects the request." */
    @Test
    void answersAStaleLeaderWithTheNewTerm() {
        TestCore core = TestCore.ofThree(1, 4);
        core.append("r2", 3, 1, 1, 0);
        assertThat(core.lastTo("r2", AppendResponse.class)).isEqualTo(new AppendResponse(4, false, 0, 0, 0, 0));
    }

    /** C16, R8.2: a replica with a wiped disk comes back as a stranger and counts for nothing. */
    @Test
    void aStrangerNeitherCountsNorDisturbs() {
        TestCore core = TestCore.ofThree(1, 1);
        core.receive("r2@wiped", new VoteRequest(50, 0, 0, false));
        core.receive("r2@wiped", new VoteRequest(50, 2, 1, true));
        core.receive("r2@wiped", new AppendResponse(60, false, 0, 0, 0, 0));
        core.receive("r2@wiped", new PreVoteResponse(70, 2, false));
        assertThat(core.term()).isEqualTo(1);
        core.tick();
        core.receive("r2@wiped", new PreVoteResponse(1, 2, true));
        assertThat(core.status().role()).isEqualTo(Role.PRE_CANDIDATE);
        core.receive("r3", new PreVoteResponse(1, 2, true));
        core.receive("r2@wiped", new VoteResponse(2, true));
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
    }

    /** "A server also grants its vote to a candidate that is not part of the server's latest configuration (if the
     * candidate has a sufficiently up-to-date log and a current term)" (§4.1). */
    @Test
    void votesForACandidateThatItsStaleMembershipDoesNotName() {
        TestCore core = TestCore.ofThree(1, 1);
        core.receive("r4", new VoteRequest(2, 3, 1, false));
        assertThat(core.lastTo("r4", VoteResponse.class)).isEqualTo(new VoteResponse(2, true));
    }

    /** "A server accepts AppendEntries requests from a leader that is not part of the server's latest configuration." */
    @Test
    void followsALeaderThatItsStaleMembershipDoesNotName() {
        TestCore core = TestCore.ofThree(1);
        core.append("r4", 2, 1, 1, 1, entry(2, 2));
        assertThat(core.status().leader()).isEqualTo(id("r4"));
        assertThat(core.lastTo("r4", AppendResponse.class)).isEqualTo(new AppendResponse(2, true, 2, 0, 0, 0));
    }

    @Test
    void learnersDoNotStandButVote() {
        Membership membership = new Membership(TestCore.voters("r2", "r3").voters(), new TreeSet<>(List.of(id("r1"))));
        TestCore core = TestCore.of(membership, 1);
        core.advance(5_000);
        assertThat(core.sent).isEmpty();
        core.receive("r2", new VoteRequest(2, 1, 1, false));
        assertThat(core.lastTo("r2", VoteResponse.class)).isEqualTo(new VoteResponse(2, true));
    }

    /** R2.8 and §6.2: a leader that cannot reach a majority for an election timeout steps down. */
    @Test
    void stepsDownWithoutContactToAMajority() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.now += 900 * MILLI;
        core.ack("r3", 0);
        core.advance(900);
        assertThat(core.status().isLeader()).isTrue();
        core.advance(200);
        assertThat(core.status().isLeader()).isFalse();
    }

    @Test
    void aFrozenLeaderDoesNotTakeOldAnswersForFreshContact() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.step(new RaftInput.ReadIndex(7));
        core.now += 5_000 * MILLI;
        core.ack("r2", 1, 1);
        assertThat(core.status().isLeader()).isFalse();
        assertThat(core.reads).isEmpty();
        assertThat(core.refused).containsExactly(new RaftOutput.Refused(7, RaftOutput.Refused.Reason.NOT_LEADER));
    }

    /** Fail-over in well under a second when the leader's process dies. */
    @Test
    void asksSoonWhenTheLeaderDisconnects() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.clear();
        core.step(new RaftInput.PeerDisconnected(id("r3")));
        assertThat(core.core.nextDeadlineNanos() - core.now).isGreaterThan(900 * MILLI);
        core.step(new RaftInput.PeerDisconnected(id("r2")));
        assertThat(core.core.nextDeadlineNanos() - core.now).isLessThanOrEqualTo(200 * MILLI);
        core.receive("r3", new PreVoteRequest(2, 0, 0));
        assertThat(core.lastTo("r3", PreVoteResponse.class)).isEqualTo(new PreVoteResponse(1, 2, true));
    }

    @Test
    void aCellOfOneElectsItselfAtOnce() {
        TestCore core = TestCore.of(TestCore.voters("r1"));
        core.step(new RaftInput.Tick());
        assertThat(core.status().isLeader()).isTrue();
        assertThat(core.status().commitIndex()).isEqualTo(1);
        core.step(new RaftInput.ReadIndex(3));
        assertThat(core.reads).containsExactly(new RaftOutput.ReadConfirmed(3, 1));
    }

    @Test
    void heartbeatsLieOnAGrid() {
        TestCore core = TestCore.ofThree();
        core.now += 37 * MILLI;
        core.elect("r2");
        assertThat(core.core.nextDeadlineNanos() % (100 * MILLI)).isZero();
        core.clear();
        core.tick();
        assertThat(core.sent(AppendRequest.class)).hasSize(2);
    }
}
