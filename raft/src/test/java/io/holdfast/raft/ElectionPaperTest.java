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
import java.util.Objects;
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

    /**
     * "The third possible outcome is that a candidate neither wins nor loses the election … each candidate will time out and start a
     * new election" (§3.4). Here it does so soon, once so many voters said that their vote went elsewhere that it can hardly win (ADR
     * 0011).
     */
    @Test
    void asksAgainSoonAfterASplitVote() {
        TestCore core = TestCore.ofFive().stand("r2", "r3");
        core.receive("r4", new VoteResponse(1, false));
        assertThat(millisToTheNextAttempt(core)).isGreaterThan(900);
        core.receive("r5", new VoteResponse(1, false));
        assertThat(millisToTheNextAttempt(core)).isBetween(100L, 300L);
        core.advance(99);
        core.receive("r3", new VoteResponse(1, false)); // says nothing new
        core.advance(201);
        assertThat(core.status().role()).isEqualTo(Role.PRE_CANDIDATE);
        assertThat(core.term()).isEqualTo(1);
    }

    /** A vote that took a disk longer to write than the candidate was willing to wait is a vote. */
    @Test
    void aVoteCountsWhileTheNextElectionIsPrepared() {
        TestCore core = TestCore.ofFive().stand("r2", "r3");
        core.receive("r4", new VoteResponse(1, false));
        core.receive("r5", new VoteResponse(1, false));
        core.advance(300);
        assertThat(core.status().role()).isEqualTo(Role.PRE_CANDIDATE);
        core.receive("r2", new VoteResponse(1, true));
        core.receive("r3", new VoteResponse(1, true));
        assertThat(core.status().isLeader()).isTrue();
        assertThat(core.term()).isEqualTo(1);
    }

    /** C72: an election does not end before the voters were asked, however slow the disk. */
    @Test
    void waitsForItsVotersFromWhenTheyAreAsked() {
        TestCore core = TestCore.ofThree();
        core.holdDisk();
        core.stand("r2");
        core.advance(2_500);
        core.advance(2_500);
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
        core.confirmAll();
        assertThat(core.sent(VoteRequest.class)).hasSize(2);
        core.advance(999);
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
        core.receive("r2", new VoteResponse(1, true));
        assertThat(core.status().isLeader()).isTrue();
    }

    /** Who was just voted for is given the time to be heard as leader; a third one would only depose it. */
    @Test
    void aVoterEncouragesNobodyElseForAWhile() {
        TestCore core = TestCore.ofFive();
        core.holdDisk();
        core.receive("r2", new VoteRequest(1, 0, 0, false));
        core.advance(400);
        core.receive("r3", new PreVoteRequest(2, 0, 0)); // while the vote is being written
        core.confirmAll();
        assertThat(core.lastTo("r3", PreVoteResponse.class)).isEqualTo(new PreVoteResponse(1, 2, false));
        assertThat(encourages(core, "r3")).isFalse();
        assertThat(encourages(core, "r2")).isTrue();
        core.advance(200);
        assertThat(encourages(core, "r3")).isTrue();
    }

    @Test
    void aCandidateEncouragesOthersOnceItsOwnVoteIsSplit() {
        TestCore core = TestCore.ofFive().stand("r2", "r3");
        assertThat(encourages(core, "r4")).isFalse();
        core.receive("r4", new VoteResponse(1, false));
        assertThat(encourages(core, "r4")).isFalse();
        core.receive("r5", new VoteResponse(1, false));
        assertThat(encourages(core, "r4")).isTrue();
    }

    private static boolean encourages(TestCore core, String asking) {
        core.receive(asking, new PreVoteRequest(core.term() + 1, 0, 0));
        return Objects.requireNonNull(core.lastTo(asking, PreVoteResponse.class))
                .granted();
    }

    @Test
    void aCandidateThatNobodyRefusedWaitsAWholeTimeout() {
        TestCore core = TestCore.ofFive().stand("r2", "r3");
        core.receive("r2", new VoteResponse(1, true));
        core.advance(999);
        assertThat(core.status().role()).isEqualTo(Role.CANDIDATE);
    }

    /** Or replicas whose disks are slow to write a vote down would go on disturbing each other. */
    @Test
    void waitsLongerAfterEachSplitUntilALeaderIsHeard() {
        TestCore core = TestCore.ofFive();
        assertThat(millisToTheNextAttempt(core.split())).isBetween(100L, 300L);
        assertThat(millisToTheNextAttempt(core.split())).isBetween(200L, 600L);
        assertThat(millisToTheNextAttempt(core.split())).isBetween(400L, 1_200L);
        assertThat(millisToTheNextAttempt(core.split())).isBetween(800L, 2_000L);
        core.append("r5", 5, 0, 0, 0);
        assertThat(millisToTheNextAttempt(core.split())).isBetween(100L, 300L);
    }

    private static long millisToTheNextAttempt(TestCore core) {
        return (core.core.nextDeadlineNanos() - core.now) / MILLI;
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

    /** C70: a leader whose disk confirms nothing, while the others' do, gives up and lets the best follower stand. */
    @Test
    void givesUpTheLeadWhenItsDiskStalls() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        core.propose(10);
        core.clear();
        beats(core, 9, () -> acks(core, 2));
        assertThat(core.status().isLeader()).isTrue();
        beats(core, 4, () -> acks(core, 2));
        assertThat(core.status().isLeader()).isFalse();
        assertThat(core.core.resignation()).isEqualTo(Resignation.SLOW_DISK);
        assertThat(core.sent(RaftMessage.TimeoutNow.class)).hasSize(1);
        core.clear();
        core.advance(5_000);
        assertThat(core.sent(PreVoteRequest.class)).isEmpty();
        core.releaseDisk();
        core.advance(5_000);
        assertThat(core.sent(PreVoteRequest.class)).isNotEmpty();
    }

    /** C72: if everybody's disk stalls nobody leads better, and KeepAlives need a leader but no disk. */
    @Test
    void keepsTheLeadWhileNobodyElsesDiskIsFaster() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        core.propose(10);
        beats(core, 100, () -> acks(core, 1));
        assertThat(core.status().isLeader()).isTrue();
        core.releaseDisk();
        core.ack("r2", 2);
        assertThat(core.status().commitIndex()).isEqualTo(2);
    }

    /** A disk that always confirms at last, but long after the others', holds everybody up as well. */
    @Test
    void givesUpTheLeadWhenItsDiskIsAlwaysTheLast() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        long index = 1;
        int rounds = 0;
        while (core.status().isLeader() && rounds++ < 10) {
            core.propose(10 + rounds);
            long reached = ++index;
            beats(core, 5, () -> acks(core, reached));
            core.confirmAll();
        }
        assertThat(core.core.resignation()).isEqualTo(Resignation.SLOW_DISK);
    }

    @Test
    void keepsTheLeadIfTheOthersAreAsSlow() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        for (long index = 2; index < 30; index++) {
            core.propose((int) (10 + index));
            long before = index - 1;
            beats(core, 5, () -> acks(core, before));
            acks(core, index);
            core.confirmAll();
        }
        assertThat(core.status().isLeader()).isTrue();
    }

    /** Without a majority beside it nobody else could lead either. */
    @Test
    void keepsTheLeadWhileItsDiskIsNeeded() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.holdDisk();
        core.propose(10);
        beats(core, 100, () -> core.ack("r2", 2));
        assertThat(core.status().isLeader()).isTrue();
    }

    private static void acks(TestCore core, long index) {
        core.ack("r2", index);
        core.ack("r3", index);
    }

    private static void beats(TestCore core, int times, Runnable answer) {
        for (int i = 0; i < times; i++) {
            core.advance(100);
            answer.run();
        }
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
