package io.holdfast.raft;

import static io.holdfast.raft.TestCore.id;
import static io.holdfast.raft.TestCore.voters;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftOutput.Refused;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import org.junit.jupiter.api.Test;

/** Sentences of the thesis, chapter 4, and of rule R8.2. */
class MembershipPaperTest {
    private static void change(TestCore core, MembershipChange change) {
        core.step(new RaftInput.ProposeMembership(1, change));
    }

    private static Reason refusal(TestCore core) {
        assertThat(core.refused).hasSize(1);
        Refused refused = core.refused.remove(0);
        return refused.reason();
    }

    private static TestCore withLearner() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.ack("r3", 1);
        change(core, new MembershipChange.AddLearner(id("r4")));
        core.ack("r2", 2);
        return core;
    }

    /** "The new configuration takes effect on each server as soon as it is added to that server's log." */
    @Test
    void takesEffectWhenAppended() {
        TestCore core = TestCore.ofThree().lead("r2");
        change(core, new MembershipChange.Remove(id("r3")));
        assertThat(core.status().membership()).isEqualTo(voters("r1", "r2"));
        assertThat(core.status().commitIndex()).isEqualTo(1);
    }

    /** "… a server must be prepared to fall back to the previous configuration in its log" when it is removed. */
    @Test
    void fallsBackWhenTheEntryIsTruncated() {
        TestCore core = TestCore.ofThree().lead("r2");
        change(core, new MembershipChange.Remove(id("r3")));
        core.append("r3", 9, 1, 1, 1, new LogEntry(2, 9, EntryType.NOOP, new byte[0]));
        assertThat(core.status().membership()).isEqualTo(voters("r1", "r2", "r3"));
    }

    /** One at a time, and not before this term's no-op is committed (R8.2; the known flaw of single-server changes). */
    @Test
    void waitsForThePreviousChangeAndForTheNoop() {
        TestCore core = TestCore.ofThree();
        core.elect("r2");
        change(core, new MembershipChange.AddLearner(id("r4")));
        assertThat(refusal(core)).isEqualTo(Reason.CHANGE_PENDING);
        core.ack("r2", 1);
        change(core, new MembershipChange.AddLearner(id("r4")));
        assertThat(core.refused).isEmpty();
        change(core, new MembershipChange.AddLearner(id("r5")));
        assertThat(refusal(core)).isEqualTo(Reason.CHANGE_PENDING);
        core.ack("r2", 2);
        change(core, new MembershipChange.AddLearner(id("r5")));
        assertThat(core.refused).isEmpty();
    }

    @Test
    void refusesWhatMakesNoSense() {
        TestCore core = withLearner();
        change(core, new MembershipChange.AddLearner(id("r2")));
        assertThat(refusal(core)).isEqualTo(Reason.INVALID_CHANGE);
        change(core, new MembershipChange.Promote(id("r2")));
        assertThat(refusal(core)).isEqualTo(Reason.INVALID_CHANGE);
        change(core, new MembershipChange.Remove(id("r7")));
        assertThat(refusal(core)).isEqualTo(Reason.INVALID_CHANGE);

        TestCore sole = TestCore.of(voters("r1"));
        sole.step(new RaftInput.Tick());
        change(sole, new MembershipChange.Remove(id("r1")));
        assertThat(refusal(sole)).isEqualTo(Reason.INVALID_CHANGE);
    }

    /** "A new server joins as a non-voting member … is not yet counted towards majorities" (§4.2.1, C88). */
    @Test
    void aLearnerCountsForNothing() {
        TestCore core = withLearner();
        core.ack("r4", 2);
        core.propose(5);
        core.ack("r4", 3);
        assertThat(core.status().commitIndex()).isEqualTo(2);
    }

    /** "… the new server has caught up": no promotion before (C88). */
    @Test
    void promotesOnlyWhenCaughtUp() {
        TestCore core = withLearner();
        for (int i = 0; i < 5; i++) {
            core.propose(5);
        }
        core.ack("r2", 7);
        core.tick();
        core.tick();
        change(core, new MembershipChange.Promote(id("r4")));
        assertThat(refusal(core)).isEqualTo(Reason.NOT_CAUGHT_UP);
        core.ack("r4", 6);
        change(core, new MembershipChange.Promote(id("r4")));
        assertThat(refusal(core)).isEqualTo(Reason.NOT_CAUGHT_UP);
        core.ack("r4", 7);
        change(core, new MembershipChange.Promote(id("r4")));
        assertThat(core.status().membership()).isEqualTo(voters("r1", "r2", "r3", "r4"));
        core.ack("r2", 8);
        assertThat(core.status().commitIndex()).isEqualTo(7); // two of four are no majority
        core.ack("r4", 8);
        assertThat(core.status().commitIndex()).isEqualTo(8);
    }

    /** C87: a newcomer to an idle cell catches up from heartbeats alone. */
    @Test
    void anIdleCellBringsALearnerUpToDate() {
        TestCore core = withLearner();
        AppendRequest probe = core.lastTo("r4", AppendRequest.class);
        assertThat(probe).isNotNull();
        core.receive("r4", new AppendResponse(1, false, 0, 0, 0, 0));
        core.ack("r4", 0);
        AppendRequest all = core.lastTo("r4", AppendRequest.class);
        assertThat(all).isNotNull();
        assertThat(all.entries()).extracting(LogEntry::index).containsExactly(1L, 2L);
    }

    /** "… a leader that is removed steps down once the C_new entry is committed … does not count itself" (§4.2.2). */
    @Test
    void aRemovedLeaderLeadsUntilTheRemovalIsCommitted() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.ack("r3", 1);
        change(core, new MembershipChange.Remove(id("r1")));
        core.ack("r2", 2);
        assertThat(core.status().isLeader()).isTrue();
        assertThat(core.status().commitIndex()).isEqualTo(1);
        core.ack("r3", 2);
        assertThat(core.status().commitIndex()).isEqualTo(2);
        assertThat(core.status().isLeader()).isFalse();
        assertThat(core.sent(TimeoutNow.class)).hasSize(1);
        core.clear();
        core.advance(10_000);
        assertThat(core.sent(PreVoteRequest.class)).isEmpty();
    }

    @Test
    void removedPeersAreNotCountedAnyMore() {
        TestCore core = TestCore.ofFive().lead("r2", "r3");
        change(core, new MembershipChange.Remove(id("r3")));
        core.ack("r3", 2);
        core.ack("r2", 2);
        assertThat(core.status().commitIndex()).isEqualTo(1);
        core.ack("r4", 2);
        assertThat(core.status().commitIndex()).isEqualTo(2);
    }

    // ---- leadership transfer, §3.10

    private static TestCore transferring() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.propose(5);
        core.step(new RaftInput.TransferLeadership(id("r2")));
        return core;
    }

    /** "The prior leader stops accepting new client requests … fully updates the target's log … sends TimeoutNow." */
    @Test
    void handsOverOnceTheTargetHasEverything() {
        TestCore core = transferring();
        core.propose(5);
        assertThat(refusal(core)).isEqualTo(Reason.TRANSFERRING);
        assertThat(core.sent(TimeoutNow.class)).isEmpty();
        core.ack("r2", 2);
        assertThat(core.sentTo("r2", TimeoutNow.class)).containsExactly(new TimeoutNow(1, 0));
    }

    /** "If leadership transfer does not complete after about an election timeout, the prior leader aborts." */
    @Test
    void givesUpATransferAfterAnElectionTimeout() {
        TestCore core = transferring();
        for (int i = 0; i < 11; i++) {
            core.advance(100);
            core.ack("r3", 0);
        }
        assertThat(core.status().isLeader()).isTrue();
        assertThat(core.status().transferring()).isFalse();
        core.propose(5);
        assertThat(core.refused).isEmpty();
    }

    @Test
    void withoutANameItGoesToWhoeverIsThereAndHasMost() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.propose(5);
        core.ack("r3", 2);
        core.step(new RaftInput.TransferLeadership(null));
        assertThat(core.sentTo("r3", TimeoutNow.class)).containsExactly(new TimeoutNow(1, 0));
        assertThat(core.sentTo("r2", TimeoutNow.class)).isEmpty();
    }

    @Test
    void withoutANameItStaysIfNobodyIsThere() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.advance(400);
        core.step(new RaftInput.TransferLeadership(null));
        assertThat(core.status().transferring()).isFalse();
    }

    @Test
    void transferToItselfOrToAStrangerIsHarmless() {
        TestCore core = TestCore.ofThree().lead("r2");
        core.step(new RaftInput.TransferLeadership(id("r1")));
        core.step(new RaftInput.TransferLeadership(id("r9")));
        assertThat(core.status().transferring()).isFalse();
    }

    @Test
    void theTargetStandsAtOnceWithoutAPreVote() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.receive("r3", new TimeoutNow(1, 0)); // not the leader
        assertThat(core.term()).isEqualTo(1);
        core.receive("r2", new TimeoutNow(1, 0));
        assertThat(core.sent(RaftMessage.VoteRequest.class)).hasSize(2).allMatch(RaftMessage.VoteRequest::transfer);
    }
}
