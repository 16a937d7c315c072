package io.holdfast.raft;

import io.holdfast.raft.RaftInput.ChunkRead;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything a replica does and knows while it leads one term; made when it is elected, dropped when it steps down.
 *
 * <p><b>Thread:</b> the core's. <b>Invariants:</b> (1) only entries of this term are committed by counting; (2) a leader
 * without contact to a majority for an election timeout, or whose disk alone holds the cell up for longer than {@link DiskPatience} says, steps down (R2.8);
 * (3) no decision rests on a lease.
 *
 * <p><b>Source:</b> thesis §3.5, §3.6.2, §4.2.2, §6.2, §6.4; C72; ADR 0013.
 */
final class Leadership {
    private static final long FAR_AWAY = Long.MAX_VALUE;

    private final ReplicaState state;
    private final Roles roles;
    private final Peers peers;
    private final Proposals proposals;
    private final ReadRounds reads;
    private final SnapshotSender snapshots;
    private final Replication replication;
    private final MembershipChanges changes;
    private final Handover handover;
    private long heartbeatNanos;
    /** Contact with a majority lasts until here at least; found anew when it has passed. */
    private long contactEndsNanos;
    /** Leads before this one, in a row, that ended for a disk. */
    private final int slowLeadsBefore;
    /** Heartbeats at which this replica's disk held the cell up, less those at which it did not. */
    private int slowBeats;

    Leadership(ReplicaState state, Roles roles) {
        this.state = state;
        this.roles = roles;
        this.peers = new Peers(state);
        this.proposals = new Proposals(state);
        long noopIndex = proposals.appendNoop();
        this.reads = new ReadRounds(state, peers, noopIndex);
        this.snapshots = new SnapshotSender(state, reads);
        this.replication = new Replication(state, peers, reads, snapshots);
        this.changes = new MembershipChanges(state, peers, noopIndex);
        this.handover = new Handover(state, peers);
        this.slowLeadsBefore = roles.diskPatience().leadsInRow();
        this.heartbeatNanos = nextOnGrid();
        this.contactEndsNanos = state.now() + state.config.electionMinNanos();
    }

    void end() {
        reads.refuseAll();
    }

    boolean isHandingOver() {
        return handover.isRunning();
    }

    // ---- requests of the driver

    void propose(long tag, byte[] data) {
        if (handover.isRunning()) {
            state.outbox.refuse(tag, Reason.TRANSFERRING);
        } else {
            proposals.propose(tag, data);
        }
    }

    void proposeMembership(long tag, MembershipChange change) {
        Reason objection = handover.isRunning() ? Reason.TRANSFERRING : changes.objectionTo(change);
        if (objection != null) {
            state.outbox.refuse(tag, objection);
            return;
        }
        proposals.accept(tag, EntryType.MEMBERSHIP, MembershipCodec.encode(changes.after(change)));
        peers.reconfigure();
        contactEndsNanos = state.now();
    }

    void read(long tag) {
        reads.add(tag);
    }

    /** To the voter that was heard lately and has most of the log if none is named. */
    void transferTo(@Nullable ReplicaId target) {
        Peer best = target == null ? peers.best() : null;
        if (target != null) {
            handover.begin(target);
        } else if (best != null && peers.isHeard(best)) {
            handover.begin(best.id());
        }
    }

    SortedSet<ReplicaId> votersCaughtUp() {
        return peers.caughtUp();
    }

    // ---- answers of peers

    void onAppendResponse(ReplicaId from, AppendResponse response) {
        Peer peer = peers.get(from);
        if (peer != null && response.term() == state.term()) {
            peer.heard(state.now(), response.round());
            replication.onResponse(peer, response);
            afterProgress();
        }
    }

    void onSnapshotResponse(ReplicaId from, SnapshotResponse response) {
        Peer peer = peers.get(from);
        if (peer != null && response.term() == state.term()) {
            peer.heard(state.now(), response.round());
            snapshots.onResponse(peer, response);
            afterProgress();
        }
    }

    void onChunkRead(ChunkRead read) {
        Peer peer = peers.get(read.peer());
        if (peer != null) {
            snapshots.onChunkRead(peer, read);
        }
    }

    void onChunkUnavailable(ReplicaId id, SnapshotMeta meta) {
        Peer peer = peers.get(id);
        if (peer != null) {
            snapshots.onChunkUnavailable(peer, meta);
        }
    }

    void onDisconnected(ReplicaId id) {
        Peer peer = peers.get(id);
        if (peer != null) {
            replication.onDisconnected(peer);
        }
    }

    void onPersisted() {
        afterProgress();
    }

    private void afterProgress() {
        reads.confirm();
        commit();
        handover.advance();
        leaveIfRemoved();
    }

    private void commit() {
        long reached = majorityMatch();
        if (reached > state.commitIndex() && isOfThisTerm(reached)) {
            proposals.committed(state.commitIndex() + 1, reached);
            state.commitTo(reached);
        }
    }

    /** What a majority has on disk; this replica's own log counts only as far as its disk confirmed it (C08). */
    private long majorityMatch() {
        return peers.majorityReached(Peer::match, state.durability.durableIndex());
    }

    /** Entries of earlier terms are never committed by counting replicas (thesis §3.6.2, figure 3.7). */
    private boolean isOfThisTerm(long index) {
        return state.log.termAt(index) == state.term();
    }

    /** A leader that is not in the newest membership leads until that is committed (thesis §4.2.2). */
    private void leaveIfRemoved() {
        if (!state.isVoter() && state.commitIndex() >= state.membership.currentIndex()) {
            resign(Resignation.REMOVED);
        }
    }

    /** Steps down and lets the best voter stand at once, so that the cell need not wait for a timeout. */
    private void resign(Resignation reason) {
        int slowDisks = reason == Resignation.SLOW_DISK ? slowLeadsBefore + 1 : 0;
        roles.diskPatience().ended(slowDisks);
        Peer best = peers.best();
        if (best != null) {
            state.outbox.send(best.id(), new TimeoutNow(state.term(), slowDisks));
        }
        roles.resign(reason);
    }

    // ---- output and time

    boolean hasWork() {
        return reads.canStart() || replication.hasWork();
    }

    /** Sends everything proposed since the last time and begins one round for all reads that wait. */
    void flush() {
        if (reads.canStart()) {
            reads.start();
        }
        replication.flush();
        reads.confirm();
    }

    /**
     * Steps down if no majority was heard for an election timeout (R2.8). Called before an input is handled, so that a
     * leader that was frozen does not take answers that waited meanwhile for fresh contact.
     */
    void checkContact() {
        if (state.now() < contactEndsNanos) {
            return;
        }
        long majorityHeardAt = peers.majorityReached(Peer::contactNanos, state.now());
        contactEndsNanos = majorityHeardAt + state.config.electionMinNanos();
        if (state.now() >= contactEndsNanos) {
            roles.resign(Resignation.NO_CONTACT);
        }
    }

    void passTime() {
        handover.passTime();
        if (state.now() >= heartbeatNanos) {
            heartbeatNanos = nextOnGrid();
            replication.beat();
            changes.beat();
            handover.beat();
            judgeDisk();
        }
    }

    /**
     * Whether this replica's disk is what the cell waits for, judged at each heartbeat: the majority has on disk what this one has
     * been writing for longer than a heartbeat. If that is so at most of the heartbeats of an election timeout, another leads
     * better. If everybody's disk is slow, nobody does, and KeepAlives, which need no disk, go on (C72). Who follows such a
     * leader bears more ({@link DiskPatience}).
     */
    private void judgeDisk() {
        boolean holdsUp = majorityMatch() > state.durability.durableIndex()
                && state.now() >= state.durability.stalledFromNanos(state.config.heartbeatNanos());
        slowBeats = holdsUp ? slowBeats + 1 : Math.max(0, slowBeats - 1);
        if (slowBeats * state.config.heartbeatNanos() >= roles.diskPatience().patienceNanos(slowLeadsBefore)) {
            resign(Resignation.SLOW_DISK);
        }
    }

    /** Heartbeats lie on a grid common to all cells of a process, so that they can share messages. */
    private long nextOnGrid() {
        long interval = state.config.heartbeatNanos();
        return (Math.floorDiv(state.now(), interval) + 1) * interval;
    }

    long nextDeadlineNanos() {
        long beat = peers.all().isEmpty() ? FAR_AWAY : heartbeatNanos;
        long standing = peers.all().isEmpty() ? FAR_AWAY : contactEndsNanos;
        return Math.min(Math.min(beat, standing), handover.deadlineNanos());
    }
}
