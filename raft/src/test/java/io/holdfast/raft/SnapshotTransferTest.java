package io.holdfast.raft;

import static io.holdfast.raft.TestCore.MILLI;
import static io.holdfast.raft.TestCore.entry;
import static io.holdfast.raft.TestCore.id;
import static io.holdfast.raft.TestCore.voters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftOutput.LogBase;
import io.holdfast.raft.RaftOutput.ReadChunk;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots from both ends: thesis §5, scenarios C12, C15, C69, C85, C91. */
class SnapshotTransferTest {
    private static final Membership THREE = voters("r1", "r2", "r3");
    private static final byte[] PIECE = new byte[16];

    private static SnapshotMeta meta(long index, long term) {
        return new SnapshotMeta(index, term, THREE);
    }

    /** A leader at term 2 whose log begins after 5 and ends, with the no-op, at 7. */
    private static TestCore compactedLeader() {
        TestCore core = TestCore.ofThree(1, 1, 1, 1, 1, 1);
        core.lead("r2");
        core.step(new RaftInput.SnapshotTaken(meta(5, 1), 5));
        core.clear();
        return core;
    }

    private static void reject(TestCore core, String from, long hint) {
        core.receive(from, new AppendResponse(core.term(), false, 0, hint, hint == 0 ? 0 : 1, 0));
    }

    @Test
    void compacts() {
        TestCore core = compactedLeader();
        assertThat(core.core.baseIndex()).isEqualTo(5);
        assertThat(core.core.retainedEntries()).extracting(LogEntry::index).containsExactly(6L, 7L);
        assertThat(core.persists.get(core.persists.size() - 1).base()).isEqualTo(new LogBase(5, 1, false));
    }

    /** C85: exactly at the border of the snapshot, one below, one above. */
    @Test
    void sendsASnapshotOnlyBelowTheBase() {
        TestCore below = compactedLeader();
        reject(below, "r3", 4);
        assertThat(below.readChunks).containsExactly(new ReadChunk(id("r3"), meta(5, 1), 0));

        TestCore at = compactedLeader();
        reject(at, "r3", 5);
        AppendRequest probe = at.lastTo("r3", AppendRequest.class);
        assertThat(at.readChunks).isEmpty();
        assertThat(probe).isNotNull();
        assertThat(probe.prevIndex()).isEqualTo(5);

        TestCore above = compactedLeader();
        above.ack("r3", 6);
        AppendRequest append = above.lastTo("r3", AppendRequest.class);
        assertThat(above.readChunks).isEmpty();
        assertThat(append).isNotNull();
        assertThat(append.prevIndex()).isEqualTo(6);
    }

    @Test
    void sendsPieceAfterPieceAndThenTheLog() {
        TestCore core = compactedLeader();
        reject(core, "r3", 0);
        core.step(new RaftInput.ChunkRead(id("r3"), meta(5, 1), 0, PIECE, false));
        assertThat(core.sentTo("r3", SnapshotChunk.class)).hasSize(1);
        core.receive("r3", new SnapshotResponse(2, 5, 16, false, 0));
        assertThat(core.readChunks).last().isEqualTo(new ReadChunk(id("r3"), meta(5, 1), 16));
        core.step(new RaftInput.ChunkRead(id("r3"), meta(5, 1), 16, PIECE, true));
        core.receive("r3", new SnapshotResponse(2, 5, 32, false, 0));
        assertThat(core.readChunks).hasSize(2);
        core.receive("r3", new SnapshotResponse(2, 5, 0, true, 0));
        AppendRequest rest = core.lastTo("r3", AppendRequest.class);
        assertThat(rest).isNotNull();
        assertThat(rest.prevIndex()).isEqualTo(5);
        assertThat(rest.entries()).hasSize(2);
    }

    /** C85: without an answer it tries again with a pause, and only while the peer is heard; no busy loop. */
    @Test
    void resendsWithPauses() {
        TestCore core = compactedLeader();
        reject(core, "r3", 0);
        core.step(new RaftInput.ChunkRead(id("r3"), meta(5, 1), 0, PIECE, false));
        core.clear();
        for (int beat = 0; beat < 9; beat++) {
            core.advance(100);
            core.ack("r2", 7);
        }
        assertThat(core.readChunks).isEmpty();
        core.ack("r3", 0);
        core.advance(100);
        assertThat(core.readChunks).containsExactly(new ReadChunk(id("r3"), meta(5, 1), 0));
    }

    @Test
    void beginsAgainWithANewerSnapshotWhenTheOldOneIsGone() {
        TestCore core = compactedLeader();
        reject(core, "r3", 0);
        core.step(new RaftInput.SnapshotTaken(meta(6, 1), 5));
        core.step(new RaftInput.ChunkUnavailable(id("r3"), meta(5, 1)));
        assertThat(core.readChunks).last().isEqualTo(new ReadChunk(id("r3"), meta(6, 1), 0));
        core.clear();
        core.step(new RaftInput.ChunkUnavailable(id("r3"), meta(6, 1)));
        assertThat(core.readChunks).isEmpty();
        for (int beat = 0; beat < 5; beat++) {
            core.ack("r3", 0);
            core.advance(100);
        }
        assertThat(core.readChunks).hasSize(1);
    }

    /** The log was compacted beyond the snapshot that is on its way: what the peer then has does not join up with the log. */
    @Test
    void sendsTheNewestSnapshotToAPeerWhoseSnapshotWasOvertaken() {
        TestCore core = compactedLeader();
        reject(core, "r3", 0);
        core.step(new RaftInput.ChunkRead(id("r3"), meta(5, 1), 0, PIECE, true));
        core.step(new RaftInput.SnapshotTaken(meta(7, 2), 7));
        core.clear();
        core.receive("r3", new SnapshotResponse(2, 5, 0, true, 0));
        assertThat(core.readChunks).containsExactly(new ReadChunk(id("r3"), meta(7, 2), 0));
        core.step(new RaftInput.ChunkRead(id("r3"), meta(7, 2), 0, PIECE, true));
        core.receive("r3", new SnapshotResponse(2, 7, 0, true, 0));
        core.propose(10);
        AppendRequest next = core.lastTo("r3", AppendRequest.class);
        assertThat(next).isNotNull();
        assertThat(next.prevIndex()).isEqualTo(7);
    }

    /** C91: a removal ends a transfer at once, and a late piece for the removed peer is ignored. */
    @Test
    void removalEndsATransfer() {
        TestCore core = compactedLeader();
        reject(core, "r3", 0);
        core.step(new RaftInput.ProposeMembership(1, new MembershipChange.Remove(id("r3"))));
        core.ack("r2", 8);
        assertThat(core.status().commitIndex()).isEqualTo(8);
        core.clear();
        core.step(new RaftInput.ChunkRead(id("r3"), meta(5, 1), 0, PIECE, false));
        core.advance(500);
        assertThat(core.sentTo("r3", RaftMessage.class)).isEmpty();
        core.step(new RaftInput.ProposeMembership(2, new MembershipChange.AddLearner(id("r3"))));
        assertThat(core.refused).isEmpty();
        reject(core, "r3", 0);
        assertThat(core.readChunks).hasSize(1);
    }

    /** The old leader sent it and died; the new one has all of it in its log, but does not know yet that it is committed. */
    @Test
    void anInstalledSnapshotMayBeAheadOfANewLeadersCommitIndex() {
        TestCore core = TestCore.ofThree(1, 1, 1, 1, 1).elect("r3");
        assertThat(core.status().commitIndex()).isZero();
        core.receive("r3", new SnapshotResponse(core.term(), 4, 0, true, 0));
        core.ack("r3", 6);
        assertThat(core.status().commitIndex()).isEqualTo(6);
    }

    // ---- the receiving end

    private static void chunk(TestCore core, long term, SnapshotMeta meta, long offset, boolean last) {
        core.receive("r2", new SnapshotChunk(term, meta, offset, PIECE, last, 0));
    }

    /** C12: "installed" is said only when the snapshot is durable and restored. */
    @Test
    void saysInstalledOnlyWhenItIs() {
        TestCore core = TestCore.ofThree(1);
        chunk(core, 3, meta(5, 2), 0, false);
        core.step(new RaftInput.ChunkWritten(meta(5, 2), 16));
        assertThat(core.lastTo("r2", SnapshotResponse.class)).isEqualTo(new SnapshotResponse(3, 5, 16, false, 0));
        chunk(core, 3, meta(5, 2), 16, true);
        chunk(core, 3, meta(5, 2), 16, true);
        assertThat(core.writeChunks).hasSize(2);
        assertThat(core.sent(SnapshotResponse.class)).noneMatch(SnapshotResponse::installed);
        core.step(new RaftInput.SnapshotInstalled(meta(5, 2)));
        assertThat(core.lastTo("r2", SnapshotResponse.class)).isEqualTo(new SnapshotResponse(3, 5, 0, true, 0));
        assertThat(core.status().emittedIndex()).isEqualTo(5);
        assertThat(core.core.baseIndex()).isEqualTo(5);
        assertThat(core.persists.get(core.persists.size() - 1).base()).isEqualTo(new LogBase(5, 2, true));
        core.append("r2", 3, 5, 2, 6, entry(6, 3));
        assertThat(core.committed).extracting(LogEntry::index).containsExactly(6L);
    }

    /** "If the snapshot describes a prefix of its log, then entries following the snapshot are still valid." */
    @Test
    void keepsTheTailIfItFits() {
        TestCore core = TestCore.ofThree(1, 1, 2, 2);
        core.holdDisk();
        core.append("r2", 3, 4, 2, 0, entry(5, 3));
        chunk(core, 3, meta(5, 3), 0, true);
        core.step(new RaftInput.SnapshotInstalled(meta(5, 3)));
        assertThat(core.status().lastIndex()).isEqualTo(5);
        core.append("r2", 3, 5, 3, 0, entry(6, 3));
        core.releaseDisk();
        assertThat(core.core.retainedEntries()).extracting(LogEntry::index).containsExactly(6L);
    }

    /** C85: a snapshot that brings nothing new is answered at once. */
    @Test
    void answersAtOnceWhatItAlreadyHas() {
        TestCore core = TestCore.ofThree(1, 1, 1);
        core.append("r2", 2, 3, 1, 1);
        chunk(core, 2, meta(3, 1), 0, false);
        assertThat(core.writeChunks).isEmpty();
        assertThat(core.lastTo("r2", SnapshotResponse.class)).isEqualTo(new SnapshotResponse(2, 3, 0, true, 0));
        assertThat(core.status().commitIndex()).isEqualTo(3);
    }

    @Test
    void startsOverWithANewLeader() {
        TestCore core = TestCore.ofThree(1);
        chunk(core, 3, meta(5, 2), 0, false);
        core.step(new RaftInput.ChunkWritten(meta(5, 2), 16));
        core.receive("r3", new SnapshotChunk(4, meta(5, 2), 16, PIECE, true, 0));
        assertThat(core.lastTo("r3", SnapshotResponse.class)).isEqualTo(new SnapshotResponse(4, 5, 0, false, 0));
        core.receive("r3", new SnapshotChunk(4, meta(5, 2), 0, PIECE, false, 0));
        assertThat(core.writeChunks).extracting(RaftOutput.WriteChunk::offset).containsExactly(0L, 0L);
    }

    @Test
    void nothingIsAppliedWhileASnapshotIsBeingRestored() {
        TestCore core = TestCore.ofThree(1);
        chunk(core, 3, meta(3, 2), 0, true);
        core.append("r2", 3, 1, 1, 4, entry(2, 2), entry(3, 2), entry(4, 3));
        assertThat(core.status().commitIndex()).isEqualTo(4);
        assertThat(core.committed).isEmpty();
        core.step(new RaftInput.SnapshotInstalled(meta(3, 2)));
        assertThat(core.committed).extracting(LogEntry::index).containsExactly(4L);
    }

    /** It could not serve before the snapshot is in, and then the state machine would be replaced under a leader. */
    @Test
    void nobodyStandsWhileASnapshotIsBeingRestored() {
        TestCore core = TestCore.ofThree(1);
        chunk(core, 3, meta(3, 2), 0, true);
        core.append("r2", 3, 1, 1, 2, entry(2, 2), entry(3, 2), entry(4, 3));
        core.receive("r2", new RaftMessage.TimeoutNow(3, 0));
        core.advance(5_000);
        assertThat(core.status().role()).isEqualTo(RaftOutput.Role.FOLLOWER);
        assertThat(core.sent(RaftMessage.PreVoteRequest.class)).isEmpty();
        assertThat(core.sent(RaftMessage.VoteRequest.class)).isEmpty();
        core.step(new RaftInput.SnapshotInstalled(meta(3, 2)));
        core.elect("r3");
        assertThat(core.status().role()).isEqualTo(RaftOutput.Role.LEADER);
    }

    @Test
    void aFailedWriteStartsOver() {
        TestCore core = TestCore.ofThree(1);
        chunk(core, 3, meta(5, 2), 0, true);
        core.step(new RaftInput.ChunkWritten(meta(5, 2), 0));
        chunk(core, 3, meta(5, 2), 0, true);
        assertThat(core.writeChunks).hasSize(2);
    }

    // ---- starting

    private static TestCore start(SnapshotMeta snapshot, HardState hardState, long base, List<LogEntry> entries) {
        return new TestCore(id("r1"), new RestoredState(hardState, snapshot, THREE, base, base == 0 ? 0 : 1, entries));
    }

    /** C69: a snapshot newer than the log: the log is dropped and the rest is fetched. */
    @Test
    void startsFromASnapshotAheadOfTheLog() {
        TestCore core = start(meta(9, 2), new HardState(2, null), 0, TestCore.log(1, 1, 1));
        assertThat(core.status().commitIndex()).isEqualTo(9);
        assertThat(core.core.baseIndex()).isEqualTo(9);
        assertThat(core.persists.get(0).base()).isEqualTo(new LogBase(9, 2, true));
    }

    @Test
    void startsFromASnapshotWithinTheLog() {
        TestCore core = start(meta(2, 1), new HardState(2, null), 0, TestCore.log(1, 1, 2));
        assertThat(core.status().commitIndex()).isEqualTo(2);
        assertThat(core.status().lastIndex()).isEqualTo(3);
        assertThat(core.persists).isEmpty();
    }

    @Test
    void aSnapshotMayBeDurableBeforeItsTerm() {
        TestCore core = start(meta(9, 5), new HardState(2, id("r3")), 0, List.of());
        assertThat(core.core.hardState()).isEqualTo(new HardState(5, null));
    }

    /** C15, R8.3: a log that begins after index 1 without a snapshot is refused; so is a hole. */
    @Test
    void refusesToStartWithMissingData() {
        HardState hardState = new HardState(1, null);
        List<LogEntry> later = List.of(entry(5, 1), entry(6, 1));
        assertThatThrownBy(() -> new TestCore(id("r1"), new RestoredState(hardState, null, THREE, 4, 1, later)))
                .isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> start(meta(3, 1), hardState, 4, later)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> start(meta(4, 1), hardState, 4, List.of(entry(5, 1), entry(7, 1))))
                .isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> start(meta(4, 1), HardState.INITIAL, 4, later)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void membershipComesFromTheSnapshot() {
        SnapshotMeta snapshot = new SnapshotMeta(9, 2, voters("r1", "r7"));
        TestCore core = start(snapshot, new HardState(2, null), 0, List.of());
        assertThat(core.status().membership()).isEqualTo(voters("r1", "r7"));
        core.now += 5_000 * MILLI;
        core.step(new RaftInput.Tick());
        assertThat(core.sentTo("r7", RaftMessage.PreVoteRequest.class)).hasSize(1);
    }
}
