package io.holdfast.raft;

import static io.holdfast.raft.TestCore.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Role;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A vote that elects nobody is asked for again soon, and nobody disturbs who may yet win (ADR 0013; thesis §3.4, §9.6). */
class SplitVoteTest {
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

    /** The network may repeat a request; that is no new vote, and its candidate may be dead by now. */
    @Test
    void aRepeatedVoteRequestDoesNotMakeAVoterWaitAgain() {
        TestCore core = TestCore.ofFive();
        core.receive("r2", new VoteRequest(1, 0, 0, false));
        core.advance(200);
        core.receive("r2", new VoteRequest(1, 0, 0, false));
        assertThat(core.lastTo("r2", VoteResponse.class)).isEqualTo(new VoteResponse(1, true));
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
}
