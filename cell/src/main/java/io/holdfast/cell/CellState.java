package io.holdfast.cell;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.cell.lease.LeaseTable;
import io.holdfast.cell.lock.LockQueue;
import io.holdfast.cell.lock.LockTable;
import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cell.node.Node;
import io.holdfast.cell.node.NodeChange;
import io.holdfast.cell.node.NodeTree;
import io.holdfast.cell.node.Stamp;
import io.holdfast.cell.session.SessionTable;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that a cell remembers, and the steps that several operations share.
 *
 * <p><b>Thread:</b> the one that applies.
 *
 * <p><b>Invariants:</b> 1. The revision never falls (R2.3). 2. Every place is in the tree, in its lock's queue and, but in
 * its lock-delay, among what its session owns. 3. Every ephemeral node's session is open.
 */
final class CellState {
    private final CellLimits limits;
    private final NodeTree tree;
    private final SessionTable sessions;
    private final LockTable locks = new LockTable();
    private final LeaseTable leases;
    private long revision;

    // Of the entry that is being applied.
    private List<CellEvent> events = new ArrayList<>();
    private long term;
    private long wallMillis;
    private long stateBytesLimit;

    private CellState(
            CellLimits limits, long revision, Iterable<Node> nodes, SessionTable sessions, LeaseTable leases) {
        this.limits = limits;
        this.revision = revision;
        this.sessions = sessions;
        this.leases = leases;
        this.tree = NodeTree.restored(this::nodeChanged, nodes);
    }

    static CellState empty(CellLimits limits) {
        return emptyAt(limits, 0);
    }

    static CellState emptyAt(CellLimits limits, long revision) {
        Node root = Node.container(NodePath.ROOT, new Stamp(0, 0));
        return new CellState(limits, revision, List.of(root), new SessionTable(), new LeaseTable());
    }

    /** The state that a snapshot holds; derived indexes are rebuilt. */
    static CellState restored(
            CellLimits limits, long revision, Iterable<Node> nodes, SessionTable sessions, LeaseTable leases) {
        CellState state = new CellState(limits, revision, nodes, sessions, leases);
        for (Node node : nodes) {
            SessionId session = node.session();
            if (session != null) {
                state.sessions.own(session, node.path());
            }
            LockMode mode =
                    node.is(NodeKind.PLACE) ? PlaceName.modeOf(node.path().name()) : null;
            if (mode != null) {
                LockQueue.Place place = new LockQueue.Place(new FencingToken(node.createRevision()), mode);
                state.locks.restore(node.path(), place, node.permits(), node.isDelayed());
            }
        }
        state.locks.settle();
        return state;
    }

    /** What this replica proposes when it leads; decides nothing here. */
    CellLimits limits() {
        return limits;
    }

    /** What the entry being applied says. */
    long stateBytesLimit() {
        return stateBytesLimit;
    }

    NodeTree tree() {
        return tree;
    }

    SessionTable sessions() {
        return sessions;
    }

    LockTable locks() {
        return locks;
    }

    LeaseTable leases() {
        return leases;
    }

    long revision() {
        return revision;
    }

    /** Term of the entry being applied. */
    long term() {
        return term;
    }

    /** The proposer's wall clock, for display only. */
    long wallMillis() {
        return wallMillis;
    }

    void begin(long entryTerm, long entryWallMillis, long entryStateBytes) {
        term = entryTerm;
        wallMillis = entryWallMillis;
        stateBytesLimit = entryStateBytes;
    }

    List<CellEvent> takeEvents() {
        List<CellEvent> taken = events;
        events = new ArrayList<>();
        return taken;
    }

    void tell(CellEvent event) {
        events.add(event);
    }

    /** Begins a mutation that is certain to happen: the next revision (R2.3). */
    Stamp mutate() {
        revision++; // R2.3
        return new Stamp(revision, wallMillis);
    }

    long bytes() {
        return tree.bytes() + sessions.bytes() + leases.bytes();
    }

    /** Whether the state may not grow by this much. */
    boolean isFullFor(long moreBytes) {
        return moreBytes > 0 && bytes() + moreBytes > stateBytesLimit;
    }

    long digest() {
        return combined(tree.digest() + sessions.digest() + leases.digest());
    }

    long recomputedDigest() {
        return combined(tree.recomputedDigest() + sessions.recomputedDigest() + leases.recomputedDigest());
    }

    private long combined(long sum) {
        return new Hash64(sum).add(revision).value();
    }

    /** Removes a place that is not in its lock-delay, without looking who is next. */
    void removePlace(Node place, NodePath lock, long atRevision) {
        SessionId session = place.session();
        if (session != null) {
            sessions.disown(session, place.path());
        }
        locks.remove(lock, place.path(), tokenOf(place));
        tree.delete(place.path(), atRevision);
    }

    /** Lets the next ones of a lock in and tells each of them, once (R4.2). */
    void grantNext(NodePath lock) {
        for (LockQueue.Place next : locks.grant(lock)) {
            NodePath path = lock.child(PlaceName.of(next.mode(), next.token()));
            SessionId session = Invariants.present(placeAt(path).session(), "a waiting place has a session");
            tell(new CellEvent.Granted(session, path, next.token()));
        }
    }

    /** The node of a place that its lock's queue knows. */
    Node placeAt(NodePath path) {
        return Invariants.present(tree.find(path), "a queued place is in the tree");
    }

    static FencingToken tokenOf(Node place) {
        return new FencingToken(place.createRevision());
    }

    /** Every invariant of this class and of the tree, checked from nothing. */
    void checkInvariants() {
        long places = 0;
        for (PersistentMap.Entry<NodePath, Node> entry : tree.frozen()) {
            Node node = entry.value();
            NodePath parent = node.path().parent();
            Node above = parent == null ? node : Invariants.present(tree.find(parent), "with a node its parent exists");
            Invariants.check(
                    above.is(NodeKind.PERSISTENT) || above.is(NodeKind.CONTAINER),
                    "only values and containers have children");
            boolean empty = node.is(NodeKind.CONTAINER) && node.children() == 0;
            Invariants.check(!empty || node.path().isRoot(), "a container has a child");
            SessionId session = node.session();
            boolean ephemeral = node.is(NodeKind.EPHEMERAL) || node.is(NodeKind.PLACE);
            Invariants.check(ephemeral ? session != null || node.isDelayed() : session == null, "what has a session");
            Invariants.check(
                    session == null
                            || (sessions.find(session) != null
                                    && sessions.ownedBy(session).contains(node.path())),
                    "an ephemeral node's session is open and owns it");
            if (node.is(NodeKind.PLACE)) {
                places++;
                LockQueue queue = parent == null ? null : locks.find(parent);
                Invariants.check(queue != null && queue.modeOf(tokenOf(node)) != null, "a place is in its queue");
                Invariants.check(
                        queue != null && queue.permits() == node.permits(), "a place's permits are its queue's");
            }
            Invariants.check(node.createRevision() <= revision && node.modifyRevision() <= revision, "R2.3");
        }
        for (PersistentMap.Entry<LeaseName, LeaseRecord> entry : leases.frozen()) {
            Invariants.check(entry.value().token().value() <= revision, "R2.3");
        }
        locks.checkCounts();
        Invariants.check(
                places == locks.held() + locks.waiting() + locks.delayedCount(), "a queued place is in the tree");
    }

    private void nodeChanged(Node node, long atRevision, NodeChange change) {
        events.add(new CellEvent.NodeChanged(node.path(), node.kind(), atRevision, change));
    }

    /** A moment to go back to. Holds nodes, revision and events, neither sessions nor queues. */
    record Mark(NodeTree.Mark nodes, long revision, int events) {}

    Mark mark() {
        return new Mark(tree.mark(), revision, events.size());
    }

    /** As if nothing had happened since; whoever calls this has changed nodes without session only. */
    void rollBackTo(Mark mark) {
        tree.rollBackTo(mark.nodes());
        revision = mark.revision();
        events.subList(mark.events(), events.size()).clear();
    }
}
