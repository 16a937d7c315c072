package io.holdfast.raft;

import io.holdfast.raft.RaftOutput.Role;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one replica that its roles and concerns share, and the only ways to change them.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) the term never falls; (2) one vote per term; (3) {@code emitted ≤
 * commit ≤ last index}; (4) nothing committed is ever cut from the log.
 *
 * <p><b>Source:</b> thesis figure 3.1.
 */
final class ReplicaState {
    final ReplicaId self;
    final RaftConfig config;
    final RandomSource random;
    final RaftLog log;
    final MembershipTracker membership;
    final Durability durability;
    final Outbox outbox;

    private HardState hardState;
    private long commitIndex;
    private long emittedIndex;
    private @Nullable SnapshotMeta snapshot;
    private long nowNanos;

    /** Written by {@link Roles} alone. */
    private Role role = Role.FOLLOWER;

    private @Nullable ReplicaId leader;

    /** The state machine is being replaced by a leader's snapshot. Written by {@link SnapshotReceiver} alone. */
    private boolean installing;

    ReplicaState(ReplicaId self, RaftConfig config, RandomSource random, Restoration restored, long nowNanos) {
        this.self = self;
        this.config = config;
        this.random = random;
        this.log = restored.log();
        this.membership = restored.membership();
        this.durability = restored.durability();
        this.outbox = new Outbox(durability);
        this.hardState = restored.hardState();
        this.snapshot = restored.snapshot();
        this.commitIndex = restored.commitIndex();
        this.emittedIndex = restored.commitIndex();
        this.nowNanos = nowNanos;
    }

    long now() {
        return nowNanos;
    }

    /** Time passed; a clock that seems to go back stands still instead (R1.3). */
    void advanceTo(long now) {
        nowNanos = Math.max(nowNanos, now);
    }

    long term() {
        return hardState.term();
    }

    HardState hardState() {
        return hardState;
    }

    Role role() {
        return role;
    }

    @Nullable
    ReplicaId leader() {
        return leader;
    }

    void setRole(Role newRole, @Nullable ReplicaId newLeader) {
        role = newRole;
        leader = newLeader;
    }

    /** Whether the state machine is being replaced by a snapshot: nothing may be applied meanwhile, so nobody led. */
    boolean isInstalling() {
        return installing;
    }

    void setInstalling(boolean now) {
        installing = now;
    }

    /** Enters a newer term, in which no vote is given yet. */
    void raiseTerm(long term) {
        Invariants.check(term > term(), "term may not go from %d to %d", term(), term);
        changeHardState(new HardState(term, null));
        outbox.dropWithheld();
    }

    /** Gives this term's one vote. */
    void voteFor(ReplicaId candidate) {
        ReplicaId before = hardState.votedFor();
        Invariants.check(before == null || before.equals(candidate), "second vote in term %d", term(), 0);
        if (before == null) {
            changeHardState(new HardState(term(), candidate));
        }
    }

    private void changeHardState(HardState changed) {
        hardState = changed;
        durability.hardStateChanged();
    }

    void append(LogEntry entry) {
        log.append(entry);
        membership.appended(entry);
        durability.appended(entry.index());
    }

    /** Drops entries that a leader's log contradicts. */
    void truncateFrom(long fromIndex) {
        Invariants.check(fromIndex > commitIndex, "cutting at %d what is committed up to %d", fromIndex, commitIndex);
        log.truncateFrom(fromIndex);
        membership.truncatedFrom(fromIndex);
        durability.truncatedFrom(fromIndex);
    }

    long commitIndex() {
        return commitIndex;
    }

    /** Entries up to {@code index} are committed; lower values change nothing. */
    void commitTo(long index) {
        Invariants.check(index <= log.lastIndex(), "commit index %d beyond the log's end %d", index, log.lastIndex());
        commitIndex = Math.max(commitIndex, index);
    }

    long emittedIndex() {
        return emittedIndex;
    }

    /** The last index that may be handed out for applying: committed, and durable here too (C08). */
    long emittableIndex() {
        return Math.min(commitIndex, durability.durableIndex());
    }

    void emittedUpTo(long index) {
        Invariants.check(index >= emittedIndex, "emitted %d after %d", index, emittedIndex);
        emittedIndex = index;
    }

    /** The newest durable snapshot, or null. */
    @Nullable
    SnapshotMeta snapshot() {
        return snapshot;
    }

    /** The state machine's own snapshot is durable; entries up to {@code compactToIndex} may go. */
    void snapshotTaken(SnapshotMeta meta, long compactToIndex) {
        Invariants.check(meta.index() <= emittedIndex, "snapshot at %d, applied %d", meta.index(), emittedIndex);
        Invariants.check(compactToIndex <= meta.index(), "compact to %d > %d", compactToIndex, meta.index());
        if (snapshot != null && meta.index() < snapshot.index()) {
            return;
        }
        snapshot = meta;
        if (compactToIndex > log.baseIndex()) {
            log.compactTo(compactToIndex);
            membership.compactedTo(compactToIndex);
            durability.compactedTo(log.baseIndex(), log.baseTerm(), false);
        }
    }

    /**
     * A leader's snapshot is durable and restored; the log goes on after it.
     *
     * @return whether entries after the snapshot were kept
     */
    boolean snapshotInstalled(SnapshotMeta meta) {
        Invariants.check(meta.index() > emittedIndex, "snapshot at %d, applied %d", meta.index(), emittedIndex);
        // Keep what follows the snapshot only if the log has the snapshot's last entry (thesis §5, figure 5.3).
        boolean keepTail = log.matches(meta.index(), meta.term());
        Invariants.check(keepTail || meta.index() > commitIndex, "snapshot contradicts entry %d", meta.index(), 0);
        if (keepTail) {
            log.compactTo(meta.index());
        } else {
            log.resetTo(meta.index(), meta.term());
        }
        membership.replacedUpTo(meta.index(), meta.membership(), keepTail);
        durability.compactedTo(meta.index(), meta.term(), !keepTail);
        snapshot = meta;
        commitTo(meta.index());
        emittedUpTo(meta.index());
        return keepTail;
    }

    /** Whether this replica may vote for leaders and lead, as far as it knows. */
    boolean isVoter() {
        return membership.current().isVoter(self);
    }

    /** Whether this replica alone is the majority. */
    boolean isSoleVoter() {
        return isVoter() && membership.current().voters().size() == 1;
    }
}
