package io.holdfast.raft;

import io.holdfast.raft.RaftInput.ChunkRead;
import io.holdfast.raft.RaftInput.ChunkUnavailable;
import io.holdfast.raft.RaftInput.ChunkWritten;
import io.holdfast.raft.RaftInput.PeerDisconnected;
import io.holdfast.raft.RaftInput.Persisted;
import io.holdfast.raft.RaftInput.Propose;
import io.holdfast.raft.RaftInput.ProposeMembership;
import io.holdfast.raft.RaftInput.ReadIndex;
import io.holdfast.raft.RaftInput.Received;
import io.holdfast.raft.RaftInput.SnapshotInstalled;
import io.holdfast.raft.RaftInput.SnapshotTaken;
import io.holdfast.raft.RaftInput.TransferLeadership;
import io.holdfast.raft.RaftMessage.AppendRequest;
import io.holdfast.raft.RaftMessage.AppendResponse;
import io.holdfast.raft.RaftMessage.PreVoteRequest;
import io.holdfast.raft.RaftMessage.PreVoteResponse;
import io.holdfast.raft.RaftMessage.SnapshotChunk;
import io.holdfast.raft.RaftMessage.SnapshotResponse;
import io.holdfast.raft.RaftMessage.TimeoutNow;
import io.holdfast.raft.RaftMessage.VoteRequest;
import io.holdfast.raft.RaftMessage.VoteResponse;
import io.holdfast.raft.RaftOutput.Persist;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import io.holdfast.raft.RaftOutput.RoleChange;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One replica's consensus: inputs are stepped in, outputs are taken out; nothing else goes in or out.
 *
 * <p>Step any number of inputs, then take one output; what was stepped in between is batched: one persist, as few
 * appends as fit, one ReadIndex round for all reads that wait. Where to read on: {@link Roles} (who is what),
 * {@link Campaign} and {@link Voting} (elections), {@link AppendReceiver} (followers), {@link Leadership} (leaders),
 * {@link Outbox} and {@link Durability} (what waits for the disk).
 *
 * <p><b>Thread:</b> one at a time; never blocks. <b>Invariants:</b> those of the classes above; a violation throws
 * {@link InvariantViolation}, after which the core must not be used.
 *
 * <p><b>Source:</b> thesis figure 3.1; protocol rules R2.1 to R2.8, R8.2.
 */
public final class RaftCore {
    private final ReplicaState state;
    private final Roles roles;
    private final Voting voting;
    private final AppendReceiver appends;
    private final SnapshotReceiver snapshots;
    private RoleChange reported;

    /**
     * A replica as it starts: a follower that knows of no leader.
     *
     * @param nowNanos the monotonic clock, as for {@link #step}
     * @throws InvariantViolation if {@code restored} cannot be right; the replica must not start (R8.3)
     */
    public RaftCore(ReplicaId self, RaftConfig config, RandomSource random, RestoredState restored, long nowNanos) {
        state = new ReplicaState(self, config, random, Restoration.of(restored), nowNanos);
        roles = new Roles(state);
        voting = new Voting(state, roles);
        appends = new AppendReceiver(state, roles);
        snapshots = new SnapshotReceiver(state, roles, appends);
        reported = currentRole();
    }

    /**
     * Handles one input.
     *
     * @param nowNanos the monotonic clock; a value lower than before counts as the one before
     * @throws InvariantViolation if the replica must stop
     */
    public void step(RaftInput input, long nowNanos) {
        state.advanceTo(nowNanos);
        Leadership leading = roles.leading();
        if (leading != null) {
            leading.checkContact();
        }
        handle(input);
        roles.passTime();
    }

    private void handle(RaftInput input) {
        if (input instanceof Received received) {
            receive(received.from(), received.message());
        } else if (input instanceof Persisted persisted) {
            persisted(persisted.sequence());
        } else if (input instanceof SnapshotTaken taken) {
            state.snapshotTaken(taken.meta(), taken.compactToIndex());
        } else if (input instanceof ChunkWritten written) {
            snapshots.onChunkWritten(written.meta(), written.nextOffset());
        } else if (input instanceof SnapshotInstalled installed) {
            snapshots.onInstalled(installed.meta());
        } else if (input instanceof PeerDisconnected disconnected) {
            disconnected(disconnected.peer());
        } else if (roles.leading() != null) {
            handleLeading(roles.leading(), input);
        } else {
            refuse(input);
        }
    }

    private static void handleLeading(Leadership leading, RaftInput input) {
        if (input instanceof Propose propose) {
            leading.propose(propose.tag(), propose.data());
        } else if (input instanceof ReadIndex read) {
            leading.read(read.tag());
        } else if (input instanceof ProposeMembership change) {
            leading.proposeMembership(change.tag(), change.change());
        } else if (input instanceof TransferLeadership transfer) {
            leading.transferTo(transfer.target());
        } else if (input instanceof ChunkRead read) {
            leading.onChunkRead(read);
        } else if (input instanceof ChunkUnavailable unavailable) {
            leading.onChunkUnavailable(unavailable.peer(), unavailable.meta());
        }
    }

    private void refuse(RaftInput input) {
        if (input instanceof Propose propose) {
            state.outbox.refuse(propose.tag(), Reason.NOT_LEADER);
        } else if (input instanceof ReadIndex read) {
            state.outbox.refuse(read.tag(), Reason.NOT_LEADER);
        } else if (input instanceof ProposeMembership change) {
            state.outbox.refuse(change.tag(), Reason.NOT_LEADER);
        }
    }

    private void persisted(long sequence) {
        state.durability.confirmed(sequence);
        state.outbox.release();
        roles.timer().persisted();
        roles.campaign().onPersisted();
        appends.onPersisted();
        Leadership leading = roles.leading();
        if (leading != null) {
            leading.onPersisted();
        }
    }

    private void disconnected(ReplicaId peer) {
        Leadership leading = roles.leading();
        if (leading != null) {
            leading.onDisconnected(peer);
        } else if (peer.equals(state.leader())) {
            roles.timer().leaderDisconnected();
        }
    }

    private void receive(ReplicaId from, RaftMessage message) {
        if (message instanceof AppendRequest request) {
            appends.onAppendRequest(from, request);
        } else if (message instanceof SnapshotChunk chunk) {
            snapshots.onChunk(from, chunk);
        } else if (message instanceof PreVoteRequest request) {
            voting.onPreVoteRequest(from, request);
        } else if (message instanceof VoteRequest request) {
            voting.onVoteRequest(from, request);
        } else if (message instanceof TimeoutNow now) {
            roles.campaign().onTimeoutNow(from, now);
        } else {
            receiveAnswer(from, message);
        }
    }

    /** Answers of strangers and removed replicas neither count nor raise our term (R8.2, C16). */
    private void receiveAnswer(ReplicaId from, RaftMessage answer) {
        if (!state.membership.current().contains(from)) {
            return;
        }
        if (answer.term() > state.term()) {
            roles.joinTerm(answer.term());
        }
        Leadership leading = roles.leading();
        if (answer instanceof PreVoteResponse response) {
            roles.campaign().onPreVoteResponse(from, response);
        } else if (answer instanceof VoteResponse response) {
            roles.campaign().onVoteResponse(from, response);
        } else if (answer instanceof AppendResponse response && leading != null) {
            leading.onAppendResponse(from, response);
        } else if (answer instanceof SnapshotResponse response && leading != null) {
            leading.onSnapshotResponse(from, response);
        }
    }

    /** Whether {@link #takeOutput()} would hand out anything but a deadline. */
    public boolean hasOutput() {
        Leadership leading = roles.leading();
        return !state.outbox.isEmpty()
                || state.durability.isDirty(state.log)
                || roleChanged()
                || (!snapshots.isInstalling() && state.emittableIndex() > state.emittedIndex())
                || (leading != null && leading.hasWork());
    }

    /** Hands out everything that has to be done since the last call; see {@link RaftOutput} for the order of work. */
    public RaftOutput takeOutput() {
        Leadership leading = roles.leading();
        if (leading != null) {
            leading.flush();
        }
        Persist persist = state.durability.take(state.log, state.hardState(), state.now());
        return new RaftOutput(
                persist,
                state.outbox.takeMessages(),
                takeCommitted(),
                state.outbox.takeProposed(),
                state.outbox.takeRefused(),
                state.outbox.takeReads(),
                state.outbox.takeReadChunks(),
                state.outbox.takeWriteChunks(),
                takeRoleChange(),
                nextDeadlineNanos());
    }

    private List<LogEntry> takeCommitted() {
        long from = state.emittedIndex() + 1;
        long to = snapshots.isInstalling() ? state.emittedIndex() : state.emittableIndex();
        if (to < from) {
            return List.of();
        }
        state.emittedUpTo(to);
        return state.log.slice(from, to);
    }

    private @Nullable RoleChange takeRoleChange() {
        if (!roleChanged()) {
            return null;
        }
        reported = currentRole();
        return reported;
    }

    private boolean roleChanged() {
        return state.role() != reported.role()
                || state.term() != reported.term()
                || !Objects.equals(state.leader(), reported.leader());
    }

    private RoleChange currentRole() {
        return new RoleChange(state.role(), state.term(), state.leader());
    }

    /** Step {@link RaftInput.Tick} no later than this; nanoseconds of the clock passed to {@link #step}. */
    public long nextDeadlineNanos() {
        return roles.nextDeadlineNanos();
    }

    /** A snapshot of this replica's view; allocates. */
    public RaftStatus status() {
        Leadership leading = roles.leading();
        return new RaftStatus(
                state.role(),
                state.term(),
                state.leader(),
                state.log.lastIndex(),
                state.commitIndex(),
                state.emittedIndex(),
                state.log.firstIndex(),
                state.log.sizeBytes(),
                state.membership.current(),
                leading != null && leading.isHandingOver());
    }

    /** Why this replica last gave up a lead by itself; null if it never did. */
    public @Nullable Resignation resignation() {
        return roles.resignation();
    }

    /** As leader: the other voters that were heard lately and lack little of the log; empty otherwise. */
    public SortedSet<ReplicaId> votersCaughtUp() {
        Leadership leading = roles.leading();
        return leading == null ? new TreeSet<>() : leading.votersCaughtUp();
    }

    /** Everything in the log after its base, in order, persisted or not; for rewriting a log file. */
    public List<LogEntry> retainedEntries() {
        return state.log.slice(state.log.firstIndex(), state.log.lastIndex());
    }

    /** Term and vote, persisted or not. */
    public HardState hardState() {
        return state.hardState();
    }

    /** Bytes of the entries after the log's base. */
    public long logBytes() {
        return state.log.sizeBytes();
    }

    /** The log begins after this index. */
    public long baseIndex() {
        return state.log.baseIndex();
    }

    /** Term of the entry at {@link #baseIndex()}, 0 if that is 0. */
    public long baseTerm() {
        return state.log.baseTerm();
    }

    /** Index of the first entry of the log, present or to come. */
    public long firstIndex() {
        return state.log.firstIndex();
    }
}
