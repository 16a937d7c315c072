package io.holdfast.replica;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellStateMachine;
import io.holdfast.model.ErrorCode;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.raft.Invariants;
import io.holdfast.raft.LogEntry;
import io.holdfast.raft.Membership;
import io.holdfast.raft.MembershipChange;
import io.holdfast.raft.MembershipCodec;
import io.holdfast.raft.RaftConfig;
import io.holdfast.raft.RaftCore;
import io.holdfast.raft.RaftInput;
import io.holdfast.raft.RaftMessage;
import io.holdfast.raft.RaftOutput;
import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.raft.RaftOutput.RoleChange;
import io.holdfast.raft.RaftStatus;
import io.holdfast.raft.ReplicaId;
import io.holdfast.raft.Resignation;
import io.holdfast.raft.SnapshotMeta;
import io.holdfast.storage.CellId;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One replica of one cell: carries out what its consensus asks for, applies what is committed, and serves while it leads.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>Output is carried out in the order of {@link RaftOutput}; consensus hears that something is durable only from the
 *       log store.
 *   <li>Every committed entry is applied once, in order.
 *   <li>One {@link LeaderService} per term led: soft state never outlives the lead (R2.4).
 * </ol>
 */
final class CellDriver {
    private final HostedCell cell;
    private final LoopShared shared;
    private final UpstreamSink upstream;
    /** Front ends' links speak of it unless they name another; its leader speaks for the process to operators. */
    private final boolean isFirst;

    private final RaftCore core;
    private final CellSnapshots snapshots;
    private CellStateMachine machine;
    /** In force at the applied index; snapshots carry it. */
    private Membership appliedMembership;

    private RoleChange role;
    private @Nullable LeaderService leading;
    private @Nullable PeerWatch peerWatch;
    /** Asked for and neither in the log nor refused yet, by tag. */
    private final Map<Long, MembershipChange> changes = new TreeMap<>();
    /** Tags of proposals and reads; never used twice. */
    private long lastTag;

    CellDriver(CellStart start, Membership initial, LoopShared shared, boolean isFirst) {
        this.cell = start.cell();
        this.shared = shared;
        this.isFirst = isFirst;
        UpstreamSink links = shared.seams().upstream();
        this.upstream = isFirst ? links : new CellSink(cell.id(), links);
        this.machine = start.machine();
        SnapshotMeta snapshot = start.snapshot();
        this.appliedMembership = snapshot == null ? initial : snapshot.membership();
        this.core = new RaftCore(
                shared.settings().self(), raft(), shared.seams().random(), start.restored(initial), shared.now());
        this.snapshots = new CellSnapshots(this, shared, snapshot);
        RaftStatus status = core.status();
        this.role = new RoleChange(status.role(), status.term(), status.leader());
    }

    // ---- what the parts of a cell share

    CellId id() {
        return cell.id();
    }

    HostedCell cell() {
        return cell;
    }

    /** Its times and limits. */
    RaftConfig raft() {
        RaftConfig own = cell.raft();
        return own == null ? shared.settings().raft() : own;
    }

    UpstreamSink upstream() {
        return upstream;
    }

    RaftCore core() {
        return core;
    }

    CellStateMachine machine() {
        return machine;
    }

    Membership appliedMembership() {
        return appliedMembership;
    }

    long nextTag() {
        return ++lastTag;
    }

    boolean isLeading() {
        return leading != null;
    }

    void step(RaftInput input) {
        core.step(input, shared.now());
    }

    // ---- turns

    /** Lets time pass. */
    void tick() {
        if (shared.now() >= core.nextDeadlineNanos()) {
            step(new RaftInput.Tick());
        }
        snapshots.tick();
        if (peerWatch != null) {
            peerWatch.tick();
        }
    }

    /** Does one round of what there is to do; false if there was nothing. */
    boolean work() {
        if (leading != null) {
            leading.flush();
        }
        if (!core.hasOutput()) {
            snapshots.whenQuiet();
            return false;
        }
        carryOut(core.takeOutput());
        return true;
    }

    void paused(long gapNanos) {
        if (leading != null) {
            leading.paused(gapNanos);
        }
    }

    long nextDeadlineNanos() {
        long deadline = Math.min(core.nextDeadlineNanos(), snapshots.nextDeadlineNanos());
        return leading == null ? deadline : Math.min(deadline, leading.nextDeadlineNanos());
    }

    private void carryOut(RaftOutput output) {
        RaftOutput.Persist persist = output.persist();
        if (persist != null) {
            persist(persist);
        }
        for (RaftMessage.Envelope envelope : output.messages()) {
            shared.outbox().add(envelope.to(), new CellMessage(id(), envelope.message()));
        }
        RoleChange change = output.roleChange();
        if (change != null) {
            followRole(change);
        }
        output.proposed().forEach(proposed -> changes.remove(proposed.tag()));
        output.refused().forEach(this::sayRefusedChange);
        if (leading != null) {
            output.proposed().forEach(leading::proposed);
            output.refused().forEach(leading::refused);
        }
        output.committed().forEach(this::apply);
        if (leading != null) {
            output.reads().forEach(leading::confirmed);
        }
        output.readChunks().forEach(snapshots::read);
        output.writeChunks().forEach(snapshots::write);
    }

    private void persist(RaftOutput.Persist persist) {
        shared.seams().log().persist(id(), persist, () -> shared.post(() -> persisted(persist.sequence())));
    }

    /** R2.1: only now may the replica answer for it; R8.2: the first time, only when it is on record that it does. */
    private void persisted(long sequence) {
        shared.startMark().afterwards(() -> step(new RaftInput.Persisted(sequence)));
    }

    // ---- roles

    private void followRole(RoleChange change) {
        role = change;
        LeaderService before = leading;
        if (before != null && !isSameLead(before, change)) {
            leading = null; // R2.4: no soft state survives
            peerWatch = null;
            before.deposed();
            sayWhyResigned(before.term(), change);
        }
        if (change.role() == Role.LEADER && leading == null) {
            leading = new LeaderService(this, shared, change.term());
            peerWatch = isFirst ? new PeerWatch(this, shared) : null;
        }
        shared.seams().listener().roleChanged(id(), change.role(), change.term(), RaftMessage.nameOf(change.leader()));
    }

    /** Nobody took the lead from it: its term is still the same. */
    private void sayWhyResigned(long ledTerm, RoleChange change) {
        Resignation reason = change.term() == ledTerm ? core.resignation() : null;
        if (reason == null || reason == Resignation.REMOVED) {
            return;
        }
        String start = "cell " + id() + ": gives up the lead of term " + ledTerm + ": ";
        String over = seconds(raft().electionMinNanos());
        String why = reason == Resignation.SLOW_DISK
                ? "others had on disk what its own was still writing, for more than " + over
                        + "; see whether its disk is full, failing or overloaded"
                : "no majority of " + members().size() + " replicas has answered for " + over
                        + "; see whether they run and can be reached";
        shared.seams().listener().notice(start + why);
    }

    /** For messages. */
    static String seconds(long nanos) {
        return nanos / 1_000_000 / 1000.0 + " s";
    }

    /** R2.4: a leader re-elected in a new term is a new leader. */
    private static boolean isSameLead(LeaderService before, RoleChange change) {
        return change.role() == Role.LEADER && change.term() == before.term();
    }

    void peerDisconnected(String name) {
        for (ReplicaId member : members()) {
            if (member.name().equals(name)) {
                step(new RaftInput.PeerDisconnected(member));
            }
        }
    }

    // ---- applying

    private void apply(LogEntry entry) {
        Invariants.check(
                entry.index() == machine.appliedIndex() + 1,
                "entry %d committed after %d was applied",
                entry.index(),
                machine.appliedIndex());
        switch (entry.type()) {
            case COMMAND -> applyCommands(entry);
            case NOOP -> {
                machine.applyNothing(entry.index(), entry.term());
                if (leading != null && entry.term() == leading.term()) {
                    leading.takeOver();
                }
            }
            case MEMBERSHIP -> {
                machine.applyNothing(entry.index(), entry.term());
                appliedMembership = MembershipCodec.decode(entry.data());
            }
        }
        snapshots.applied(entry);
    }

    private void applyCommands(LogEntry entry) {
        shared.meter().applyBegins(id());
        AppliedEntry applied = machine.apply(entry.index(), entry.term(), entry.data());
        shared.meter().applyEnded(id());
        if (leading != null) {
            leading.applied(entry.term(), applied);
        }
    }

    /** The state machine was replaced by a snapshot from the leader. */
    void installed(SnapshotMeta meta, CellStateMachine restored) {
        Invariants.check(leading == null, "snapshot %d installed at a leader", meta.index(), 0);
        Invariants.check(
                restored.appliedIndex() == meta.index() && meta.index() >= machine.appliedIndex(),
                "snapshot %d installed over a state at %d",
                meta.index(),
                machine.appliedIndex());
        machine = restored;
        appliedMembership = meta.membership();
        step(new RaftInput.SnapshotInstalled(meta));
    }

    // ---- front ends

    void fromUpstream(long link, UpstreamFrame frame) {
        if (leading != null) {
            leading.onFrame(link, frame);
            return;
        }
        String leader = RaftMessage.nameOf(role.leader());
        String why = shared.settings().self().name() + " does not lead cell " + id()
                + (leader == null ? "; no leader is known" : "; " + leader + " does");
        if (isFirst) {
            ClientStreams.refuseLink(upstream, link, why);
        } else if (frame instanceof UpstreamFrame.Forward forward) {
            // The link goes on for other cells, so each call is answered: it is certainly not done.
            upstream.send(link, refusal(forward, why));
        }
    }

    /** Nobody was asked to do it, so it is certainly not done. */
    static DownstreamFrame refusal(UpstreamFrame.Forward forward, String why) {
        long id = ClientRequests.idOf(forward.frame());
        ServerFrame refused = new ServerFrame.Refused(id, ErrorCode.UNAVAILABLE, true, why);
        return new DownstreamFrame.Deliver(forward.stream(), refused);
    }

    void linkClosed(long link) {
        if (leading != null) {
            leading.linkClosed(link);
        }
    }

    // ---- operation and views

    SortedSet<ReplicaId> members() {
        Membership membership = core.status().membership();
        SortedSet<ReplicaId> members = new TreeSet<>(membership.voters());
        members.addAll(membership.learners());
        return members;
    }

    void transferLeadership(String name) {
        for (ReplicaId member : members()) {
            if (member.name().equals(name) && leading != null) {
                step(new RaftInput.TransferLeadership(member));
            }
        }
    }

    void handOverLead() {
        if (leading != null) {
            step(new RaftInput.TransferLeadership(null));
        }
    }

    void changeMembership(MembershipChange change) {
        long tag = nextTag();
        changes.put(tag, change);
        step(new RaftInput.ProposeMembership(tag, change));
    }

    private void sayRefusedChange(RaftOutput.Refused refused) {
        MembershipChange change = changes.remove(refused.tag());
        if (change != null) {
            String why = switch (refused.reason()) {
                case NOT_LEADER -> shared.settings().self().name() + " does not lead it";
                case BUSY -> "too much waits for commit";
                case TRANSFERRING -> "the lead is being handed over";
                case CHANGE_PENDING -> "another change is under way, or the leader has only just taken over; try again";
                case NOT_CAUGHT_UP -> "the learner has not caught up yet; try again";
                case INVALID_CHANGE -> "it makes no sense for the members " + members();
            };
            shared.seams()
                    .listener()
                    .notice("cell " + id() + ": the membership change " + change + " is refused: " + why);
        }
    }

    RoleChange role() {
        return role;
    }

    /** Of this cell's clients; 0 unless this replica leads. */
    int watchCount() {
        return leading == null ? 0 : leading.watchCount();
    }

    /** What its clients cache; nothing unless this replica leads. */
    ReplicaStatus.Caches cacheView() {
        return leading == null ? ReplicaStatus.Caches.NONE : leading.cacheView();
    }

    boolean isServing() {
        return leading != null && leading.isServing();
    }
}
