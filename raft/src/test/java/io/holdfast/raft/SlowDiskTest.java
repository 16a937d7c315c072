package io.holdfast.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Role;
import org.junit.jupiter.api.Test;

/** Elections end and leads are given up or kept as they should while disks are slow (C70, C72; ADR 0013). */
class SlowDiskTest {
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
        assertThat(core.sent(TimeoutNow.class)).containsExactly(new TimeoutNow(1, 1));
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

    /**
     * Seed 703492: all disks stalled in turn, each leader found the others faster and gave up after a second, and as every
     * takeover gives a full lease (R3.3), a dead client's place was held for ever.
     */
    @Test
    void bearsTwiceAsMuchAfterEachLeaderThatGaveUpForItsDisk() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.receive("r2", new TimeoutNow(1, 3));
        core.receive("r3", new VoteResponse(2, true));
        assertThat(core.status().isLeader()).isTrue();
        core.holdDisk();
        core.propose(10);
        core.clear();
        beats(core, 79, () -> acks(core, 2));
        assertThat(core.status().isLeader()).isTrue();
        beats(core, 4, () -> acks(core, 2));
        assertThat(core.core.resignation()).isEqualTo(Resignation.SLOW_DISK);
        assertThat(core.sent(TimeoutNow.class)).containsExactly(new TimeoutNow(2, 4));
    }

    /** Nobody may have been told: who gave up itself remembers, but not for ever. */
    @Test
    void remembersThatItGaveUpItself() {
        TestCore core = TestCore.ofThree().lead("r2");
        assertThat(beatsUntilItGivesUp(core)).isBetween(9, 13);
        assertThat(beatsUntilItGivesUp(core.elect("r2"))).isBetween(19, 23);
        assertThat(beatsUntilItGivesUp(core.elect("r2"))).isBetween(39, 43);
        core.append("r2", core.status().term() + 1, 0, 0, 0);
        for (int second = 0; second < 70; second++) {
            core.advance(900);
            core.append("r2", core.status().term(), 0, 0, 0);
        }
        assertThat(beatsUntilItGivesUp(core.elect("r2"))).isBetween(9, 13);
    }

    /** However often it happened: a disk that recovers alone must not hold the cell up for hours. */
    @Test
    void bearsNoMoreThanThirtyTwoTimeouts() {
        TestCore core = TestCore.ofThree();
        core.append("r2", 1, 0, 0, 0);
        core.receive("r2", new TimeoutNow(1, 1_000));
        core.receive("r3", new VoteResponse(2, true));
        assertThat(beatsUntilItGivesUp(core)).isBetween(319, 323);
    }

    /** A leader's disk stalls while the others' write; when it has given up, its disk recovers. */
    private static int beatsUntilItGivesUp(TestCore core) {
        assertThat(core.status().isLeader()).isTrue();
        core.holdDisk();
        core.propose(10);
        long index = core.status().lastIndex();
        int beats = 0;
        while (core.status().isLeader() && beats < 1_000) {
            beats(core, 1, () -> acks(core, index));
            beats++;
        }
        core.releaseDisk();
        core.clear();
        return beats;
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
}
